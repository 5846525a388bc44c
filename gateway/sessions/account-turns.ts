import type { AccountId } from '../../domain/ids/ids.ts'

const nothing = (): void => undefined

/** Runs the tasks of one account one after another; tasks of other accounts run in parallel. */
export class AccountTurns {
  readonly #last = new Map<AccountId, Promise<void>>()

  /** Runs a task after all previous ones. Resolves or rejects as it does. */
  async run<Result>(account: AccountId, task: () => Promise<Result>): Promise<Result> {
    const running = (this.#last.get(account) ?? Promise.resolve()).then(task)
    const done = running.then(nothing, nothing)
    this.#last.set(account, done)
    try {
      return await running
    } finally {
      if (this.#last.get(account) === done) this.#last.delete(account)
    }
  }
}
