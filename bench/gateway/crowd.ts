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

/** A guild with members, and a guest who joins and leaves: each time is one event that every member receives. */
export interface Crowd {
  readonly members: readonly Person[]
  readonly come: () => Promise<unknown>
  readonly go: () => Promise<unknown>
}

/** Registers this many members, and one guest. */
export async function gatherCrowd(url: string, members: number): Promise<Crowd> {
  const people: Person[] = []
  const names = Array.from({ length: members + 1 }, (_none, index) => `crowd${index}`)
  await atOnce(registeredAtOnce_max, names, async (name) => void people.push(await call(url, register(name))))
  const [owner, guest, ...others] = people
  if (!owner || !guest) throw new Error('Nobody came')
  const { id } = await call(url, createGuild(owner, 'The crowd'))
  const { textChannel } = await call(url, getGuild(owner, id))
  const { code } = await call(url, createInvite(owner, textChannel, { max_uses: 0, max_age: 0 }))
  for (const other of others) await call(url, acceptInvite(other, code))
  return {
    members: [owner, ...others],
    come: () => call(url, acceptInvite(guest, code)),
    go: () => call(url, leaveGuild(guest, id)),
  }
}
