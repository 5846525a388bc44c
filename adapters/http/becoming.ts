import type { Ports } from '../../application/ports.ts'
import type { Operation } from './operation.ts'

/** The request to another operation that a request becomes, once what it names is found. */
export interface Becoming {
  readonly operation: Operation
  /** The parameters of its path and its body, as a client sends them. */
  readonly params: unknown
  readonly body: unknown
  /** What is answered once it is carried out. */
  readonly reply: unknown
}

/** Finds the request that a request becomes. Refuses as a use case does. */
export type Become<Params, Body> = (
  ports: Ports,
  asked: { readonly params: Params; readonly body: Body },
) => Promise<Becoming>
