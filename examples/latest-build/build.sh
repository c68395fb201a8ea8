#!/bin/sh
# Stands for a build: takes the seconds that its environment says.
echo "Building with $ORCHESTRATOR_PARAMETERS"
sleep "${SECONDS_TO_BUILD:-1}"
echo "Built"
