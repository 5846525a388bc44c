import type { z } from 'zod'

/** A reply with headers of its own. */
export class HeadedReply<Body> {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** The schema of a reply whose handler gives a `HeadedReply`. `replyHeaders` describes each header by its name. */
export type Headed<S extends z.ZodType = z.ZodType> = S & { readonly replyHeaders: Readonly<Record<string, string>> }

/** Declares a reply with headers of its own, each with its description. The schema is changed: give it a new one. */
export function headed<S extends z.ZodType>(schema: S, replyHeaders: Readonly<Record<string, string>>): Headed<S> {
  return Object.assign(schema, { replyHeaders })
}
