import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

/** A request as a client sends it. */
export interface ExampleRequest {
  readonly path: string
  readonly body?: unknown
}

/** The sender of an example, and what exists. */
export interface ExampleStage {
  readonly guildhall: TestGuildhall
  /** Sends the example, and holds `*`. */
  readonly admin: TestAccount
}

/** How to call an operation for administrators: each needs an example here. */
export interface AdminExample {
  /** A request that succeeds; it may first create what it needs. */
  readonly succeeds: (stage: ExampleStage) => ExampleRequest | Promise<ExampleRequest>
  /** A request that is refused to an administrator with every ACL, with its status; null if there is none. */
  readonly refused: ((stage: ExampleStage) => ExampleRequest & { readonly status: number }) | null
}
