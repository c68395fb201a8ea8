// How many writes shared a commit, from the server's own metrics.

/** What was counted between two readings of /metrics. */
export function commitStats(before, after) {
  const growth = (name) => value(after, name) - value(before, name);
  const commits = growth("database_commit_batch_size_count");
  return {
    commits,
    writes: growth("database_commit_batch_size_sum"),
    meanCommitMs: (growth("database_commit_duration_seconds_sum") / commits) * 1000,
    bySize: sizes(before, after),
  };
}

function sizes(before, after) {
  const earlier = new Map(buckets(before));
  let below = 0;
  return buckets(after).map(([upTo, count]) => {
    const commits = count - (earlier.get(upTo) ?? 0) - below;
    below += commits;
    return { upTo, commits };
  });
}

function buckets(text) {
  const lines = text.matchAll(/^database_commit_batch_size_bucket\{le="([^"]+)"\} (\d+)$/gm);
  return [...lines].map(([, upTo, count]) => [upTo, Number(count)]);
}

function value(text, name) {
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0);
}
