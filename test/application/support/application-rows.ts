import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { ApplicationQueries } from '../../../application/ports/queries/application-queries.ts'
import { application } from '../../../domain/application/application.ts'
import type { ApplicationEvent } from '../../../domain/application/events.ts'
import type { ApplicationState } from '../../../domain/application/state.ts'
import { botOf, type AccountId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'

/** The read model of applications in memory. */
export class ApplicationRows {
  readonly #states = new Map<string, ApplicationState>()

  apply(event: RecordedEvent): void {
    const state = this.#states.get(event.stream) ?? application.initial
    // The stream's category determines its events.
    this.#states.set(event.stream, application.evolve(state, event as unknown as ApplicationEvent))
  }

  /** `account` returns the record of an account from another read model. */
  queries(account: (id: AccountId) => AccountRecord | undefined): ApplicationQueries {
    const all = () => [...this.#states.values()].filter((state) => state.status === 'created')
    const ofOwner = (owner: AccountId) =>
      all()
        .filter(({ ownerId }) => ownerId === owner)
        .toSorted((a, b) => compareSnowflakes(a.id, b.id))
    return {
      find: async (id) => all().find((each) => each.id === id),
      findMany: async (ids) => all().filter(({ id }) => ids.includes(id)),
      ofOwner: async (owner) =>
        ofOwner(owner).map((each) => ({
          ...each,
          botTokenCreatedAt: each.createdAt,
          clientSecretCreatedAt: each.createdAt,
          version: 1,
        })),
      countOf: async (owner) => ofOwner(owner).length,
      botByToken: async (hash) => {
        const found = all().find(({ botTokenHash }) => botTokenHash === hash)
        return found && account(botOf(found.id))
      },
    }
  }
}
