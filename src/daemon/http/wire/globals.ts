/**
 * What `Headers` and `Response` mean in the daemon's program: the build puts these in place of the platform's, which load
 * a whole HTTP client when they are first named. So a daemon has that only once it has called somebody itself.
 */
export { PlainHeaders as Headers } from "./headers.ts";
export { PlainResponse as Response } from "./response.ts";
