import { expect } from 'vitest'
import type { Store } from '../../../process/store.ts'
import {
  acceptInvite,
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  type FoundedGuild,
  type InviteWishes,
  type Person,
} from '../../support/load-api.ts'
import { nextSerial } from '../../support/load-clients.ts'
import { factIn, factsFor, hearingFaults, sumOfFaults, type HearingFaults } from '../network/watched-facts.ts'
import { watchAs, type WatchingSession } from '../network/watching-session.ts'
import { wholeHistory } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

/** The current addresses of the product; both begin with http:// */
export interface CrowdPlace {
  apiUrl(): string
  gatewayUrl(): string
  readonly store: Store
}

/** Many sessions of the owner of one guild and of other members, which hear of every join. */
export interface Crowd {
  readonly owner: Person
  readonly guild: FoundedGuild
  readonly sessions: readonly WatchingSession[]
  /**
   * Lets an account join; resolves with the milliseconds until all sessions, or the named ones, have heard it. Call it when no
   * session starts again meanwhile.
   */
  tell(sessions?: readonly WatchingSession[]): Promise<number>
  /** The number of sessions that did not hear the last join in their current life. */
  stale(): number
  /** The faults in what all sessions heard together. */
  faults(): Promise<HearingFaults>
  close(): void
}

/** For one user account. */
const sessionsPerPerson = 50

/** Opens this many sessions, with as few accounts as the limit allows. */
export async function openCrowd(place: CrowdPlace, size: number): Promise<Crowd> {
  const owner = await call(place.apiUrl(), register('crowd_owner'))
  const { id } = await call(place.apiUrl(), createGuild(owner, 'Crowded'))
  const guild = await call(place.apiUrl(), getGuild(owner, id))
  const people = Array.from({ length: Math.ceil(size / sessionsPerPerson) - 1 }, async (_, number) => {
    const person = await call(place.apiUrl(), register(`crowd_${number}`))
    const { code } = await call(place.apiUrl(), createInvite(owner, guild.textChannel, { max_uses: 1, max_age: 0 }))
    await call(place.apiUrl(), acceptInvite(person, code))
    return person
  })
  const all = [owner, ...(await Promise.all(people))]
  const gatewayUrl = (): string => `${place.gatewayUrl().replace('http', 'ws')}/gateway`
  const sessions = Array.from({ length: size }, (_, index) =>
    watchAs(all[index % all.length] ?? owner, { gatewayUrl, factIn }),
  )
  await Promise.all(sessions.map(({ ready }) => ready))
  const start = await place.store.events.end()
  const watchers = sessions.map((session, index) => {
    const { id: account } = all[index % all.length] ?? owner
    return { session, watcher: { account, isOwner: account === owner.id, guilds: undefined } }
  })
  let newest = ''
  let serial = 0
  const isTold = ({ lives }: WatchingSession): boolean => lives.at(-1)?.facts.includes(newest) ?? false

  async function tell(wanted: readonly WatchingSession[] = sessions): Promise<number> {
    const began = performance.now()
    const comer = await call(place.apiUrl(), register(`comer_${(serial += 1)}`))
    const wishes: InviteWishes = { max_uses: 1, max_age: 3600 + nextSerial() }
    const { code } = await call(place.apiUrl(), createInvite(owner, guild.textChannel, wishes))
    newest = `joined ${guild.id} ${comer.id}`
    await call(place.apiUrl(), acceptInvite(comer, code))
    await expect
      .poll(() => wanted.filter((session) => !isTold(session)).length, { timeout: patience_ms, interval: 5 })
      .toBe(0)
    return performance.now() - began
  }

  return {
    owner,
    guild,
    sessions,
    tell,
    stale: () => sessions.filter((session) => !isTold(session)).length,
    async faults() {
      const events = (await wholeHistory(place.store)).filter(({ position }) => position > start)
      const found = watchers.map(({ session, watcher }) => hearingFaults(session.lives, factsFor(watcher, events)))
      return sumOfFaults(found)
    },
    close: () => sessions.forEach((session) => session.close()),
  }
}
