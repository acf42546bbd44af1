/** What agents and steps inherit of an environment: where the store is, never its password; and no person's token. */
export function inherited(env: Readonly<Record<string, string>>): Record<string, string> {
  const { OJ_STORE_URL: address, OJ_TOKEN: _token, ...rest } = env;
  if (!address) return rest;
  try {
    const url = new URL(address);
    url.password = "";
    url.searchParams.delete("password");
    return { ...rest, OJ_STORE_URL: url.href };
  } catch {
    return rest; // no address that anything could be reached by
  }
}
