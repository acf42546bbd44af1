/** Where a switch over a closed list ends: a new member stops the build here. */
export function never(it: never): never {
  throw new Error(`not expected: ${JSON.stringify(it)}`);
}
