import {
  acceptInvite,
  call,
  createGuild,
  createInvite,
  getGuild,
  leaveGuild,
  register,
  type Person,
} from '../../test/support/load-api.ts'
import { atOnce } from '../support/at-once.ts'

/** More would be refused: each costs a hash. */
const registeredAtOnce_max = 8

/** A guest who joins a guild and leaves it again: each time is one event. */
export interface Visits {
  readonly come: () => Promise<unknown>
  readonly go: () => Promise<unknown>
}

/** A guild with members, each of whom receives what its guest does. */
export interface Crowd extends Visits {
  readonly members: readonly Person[]
  /** The same guest in a guild of somebody who has no session: nobody receives it. */
  readonly elsewhere: Visits
}

/** Registers this many members, a guest, and the owner of another guild. */
export async function gatherCrowd(url: string, members: number): Promise<Crowd> {
  const people: Person[] = []
  const names = Array.from({ length: members + 2 }, (_none, index) => `crowd${index}`)
  await atOnce(registeredAtOnce_max, names, async (name) => void people.push(await call(url, register(name))))
  const [owner, guest, stranger, ...others] = people
  if (!owner || !guest || !stranger) throw new Error('Nobody came')
  const home = await openGuild(url, owner)
  for (const other of others) await call(url, acceptInvite(other, home.code))
  return {
    members: [owner, ...others],
    ...visitsOf(url, guest, home),
    elsewhere: visitsOf(url, guest, await openGuild(url, stranger)),
  }
}

interface OpenGuild {
  readonly id: string
  readonly code: string
}

async function openGuild(url: string, owner: Person): Promise<OpenGuild> {
  const { id } = await call(url, createGuild(owner, 'The crowd'))
  const { textChannel } = await call(url, getGuild(owner, id))
  const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 0, max_age: 0 }))
  return { id, code }
}

const visitsOf = (url: string, guest: Person, { id, code }: OpenGuild): Visits => ({
  come: () => call(url, acceptInvite(guest, code)),
  go: () => call(url, leaveGuild(guest, id)),
})
