import type { RegistrationQueries } from '../../../application/ports/queries/registration-queries.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import type { RegistrationUrlEvent } from '../../../domain/registration-url/events.ts'
import { registrationUrl } from '../../../domain/registration-url/registration-url.ts'
import type { RegistrationUrlState } from '../../../domain/registration-url/state.ts'

/** The registration URLs, by stream. */
export class MemoryRegistrationUrls {
  readonly states = new Map<string, RegistrationUrlState>()

  apply(event: RecordedEvent): void {
    const before = this.states.get(event.stream) ?? registrationUrl.initial
    this.states.set(event.stream, registrationUrl.evolve(before, event as unknown as RegistrationUrlEvent))
  }
}

/** Waiting accounts and the URLs, as far as use cases need them: what operators also read is tested with Postgres. */
export function memoryRegistrations(
  accounts: ReadonlyMap<string, AccountState>,
  { states }: MemoryRegistrationUrls,
): RegistrationQueries {
  const made = () => [...states.values()].filter((state) => state.status === 'created')
  const unknown = { revokedAt: null, lastUsedAt: null, lastUsedBy: null }
  return {
    pending: async () =>
      [...accounts.values()]
        .filter((state) => state.status === 'registered')
        .filter(({ admission }) => admission === 'pending')
        .map(({ id, profile, registeredAt, username, discriminator, email }) => ({
          accountId: id,
          username,
          discriminator,
          globalName: profile.globalName,
          email,
          requestedAt: registeredAt,
          registrationUrlId: null,
          clientIp: null,
        })),
    urls: async () =>
      made().map(({ terms, useCount }) => ({ ...terms, ...unknown, id: terms.registrationUrlId, useCount })),
    urlByCode: async (hash) => made().find(({ terms }) => terms.codeHash === hash)?.terms.registrationUrlId,
  }
}
