/**
 * While other people's code runs: what it prints goes to stderr, so that stdout holds nothing but
 * the answer.
 */
export async function withPureStdout<Value>(work: () => Promise<Value>): Promise<Value> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}
