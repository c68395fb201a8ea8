# Counts words and keeps the counts as an artifact, with nothing but Python's own library.
import json
import os
from collections import Counter
from urllib.request import Request, urlopen

text = json.loads(os.environ["ORCHESTRATOR_PARAMETERS"])["text"]
counts = Counter(text.split()).most_common()
print(f"{len(counts)} different words")

artifact = {
    "key": "words",
    "type": "table",
    "data": json.dumps([{"word": word, "times": times} for word, times in counts]),
    "flow_run_id": os.environ["ORCHESTRATOR_FLOW_RUN_ID"],
}
request = Request(
    f"{os.environ['ORCHESTRATOR_API_URL']}/artifacts/",
    data=json.dumps(artifact).encode(),
    headers={"content-type": "application/json"},
)
with urlopen(request) as answer:
    print("Kept as artifact", json.load(answer)["id"])
