import type { Rate } from '../../application/ports/allowances.ts'

/** A leaky bucket that a route declares. */
export interface Bucket extends Rate {
  /** The declared name, with the parameter's name in it: `guild:read::guild_id`. */
  readonly name: string
  /** The path parameter that splits the bucket further; null if the identity alone splits it. */
  readonly parameter: string | null
  /** Whether the global bucket does not count its requests. */
  readonly beyondGlobal?: true
  /** Whether requests without an account are told of the bucket in headers, as bots are: their path has a token. */
  readonly tellsStrangers?: true
}

/** One bucket for each identity: the account and its kind of credential, or the client's address if there is no account. */
export function perUser(name: string, rate: Rate): Bucket {
  return { name, ...rate, parameter: null }
}

/** One bucket for each identity and value of a path parameter. The name ends with `::` and the parameter. */
export function perUserAnd<Parameter extends string>(
  name: `${string}::${Parameter}`,
  parameter: Parameter,
  rate: Rate,
): Bucket {
  return { name, ...rate, parameter }
}
