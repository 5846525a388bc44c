import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.js'

/** A request as a client sends it. */
export interface ExampleRequest {
  readonly path: string
  readonly body?: unknown
}

/** Who sends an example, and what there is. */
export interface ExampleStage {
  readonly guildhall: TestGuildhall
  /** Sends the example, and holds `*`. */
  readonly admin: TestAccount
}

/** How an operation for administrators is called: each has to have an example here. */
export interface AdminExample {
  /** A request that succeeds; it may prepare what it needs, by itself. */
  readonly succeeds: (stage: ExampleStage) => ExampleRequest | Promise<ExampleRequest>
  /** One that an administrator with every ACL is refused, with its status; null where there is none. */
  readonly refused: ((stage: ExampleStage) => ExampleRequest & { readonly status: number }) | null
}
