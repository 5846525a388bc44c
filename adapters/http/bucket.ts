import type { Rate } from '../../application/ports/allowances.js'

/** A leaky bucket that a route declares. */
export interface Bucket extends Rate {
  /** The declared name, before parameters are put in: `guild:read::guild_id`. */
  readonly name: string
  /** The path parameter that also parts the bucket; null where the identity alone does. */
  readonly parameter: string | null
}

/** One bucket an identity: the account and its kind of credential, or the client's address where there is no account. */
export function perUser(name: string, rate: Rate): Bucket {
  return { name, ...rate, parameter: null }
}

/** One bucket an identity and value of a path parameter. The name ends with `::` and the parameter. */
export function perUserAnd<Parameter extends string>(
  name: `${string}::${Parameter}`,
  parameter: Parameter,
  rate: Rate,
): Bucket {
  return { name, ...rate, parameter }
}
