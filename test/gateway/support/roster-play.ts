import fc from 'fast-check'
import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { initialSettings, type Guild } from '../../../domain/guild/state.ts'
import { noExpressions } from '../../../domain/guild-expressions/state.ts'
import { accountId, channelId, guildId, roleId, type AccountId, type RoleId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes, snowflake } from '../../../domain/ids/snowflake.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { everyoneRole, plainChannel } from '../../../domain/guild/layout.ts'
import type { ChannelList } from '../../../gateway/member-lists/channel-list.ts'
import { Roster } from '../../../gateway/member-lists/roster.ts'
import { knownEventIn, type KnownEvent } from '../../../gateway/visibility/known-event.ts'
import { Room } from '../../../gateway/visibility/room.ts'
import { joined, left, plainRole, rolesChanged, sometime, start } from './facts.ts'

const home = guildId(snowflake('1'))
export const accounts = Array.from({ length: 12 }, (_, index) => accountId(snowflake(String(100 + index))))
const owner = accounts[0] ?? accountId(snowflake('100'))
const roles = [21, 22, 23].map((id) => roleId(snowflake(String(id))))
export const channels = [31, 32].map((id) => channelId(snowflake(String(id))))
const sight = permissionBits.VIEW_CHANNEL.toString()

interface Person {
  roles: readonly RoleId[]
  nick: string | null
  name: string
  isOnline: boolean
}

export type Step =
  | { readonly type: 'join' | 'leave' | 'online'; readonly member: number }
  | { readonly type: 'roles'; readonly member: number; readonly held: readonly number[] }
  | { readonly type: 'nick' | 'rename'; readonly member: number; readonly name: string | null }
  | { readonly type: 'hoist' | 'permissions' | 'delete'; readonly role: number }
  | { readonly type: 'create' }
  | { readonly type: 'overwrite'; readonly channel: number; readonly target: number; readonly gives: boolean }

const member = fc.nat({ max: accounts.length - 1 })
const role = fc.nat({ max: roles.length - 1 })
const name = fc.constantFrom('a', 'B', 'b', 'c', 'Émile', 'zoe')
export const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('join', 'leave', 'online', 'join', 'online'), member }),
  fc.record({ type: fc.constant('roles'), member, held: fc.subarray([0, 1, 2]) }),
  fc.record({ type: fc.constantFrom('nick', 'rename'), member, name: fc.option(name) }),
  fc.record({ type: fc.constantFrom('hoist', 'permissions', 'delete'), role }),
  fc.record({ type: fc.constant('create') }),
  fc.record({
    type: fc.constant('overwrite'),
    channel: fc.nat({ max: 1 }),
    target: fc.nat({ max: 5 }),
    gives: fc.boolean(),
  }),
)

const standing = (id: RoleId) => ({ ...plainRole(id), position: roles.indexOf(id) + 1 })

/** The guild, the roster of its members, and what it is computed from. */
export class Play {
  readonly people = new Map<AccountId, Person>()
  readonly roster: Roster
  readonly #room: Room
  #position = 1n
  #hasCreated = false

  constructor() {
    const guild: Guild = {
      id: home,
      name: 'Home',
      ownerId: owner,
      features: [],
      settings: initialSettings,
      createdAt: start,
      roles: [everyoneRole(home, sight), ...roles.slice(0, -1).map((id) => standing(id))],
      channels: channels.map((id) => ({ ...plainChannel, id, type: channelTypes.text, name: 'talk', position: 1 })),
    }
    this.#room = new Room(guild, noExpressions, 0, 1n)
    this.roster = new Roster(this.#room)
    this.roster.isFilled = true
    this.#joins(owner)
  }

  get guild(): Guild {
    return this.#room.guild
  }

  channel(number: number): Channel {
    const channel = this.guild.channels.find(({ id }) => id === channels[number])
    if (!channel) throw new Error('the channel is gone')
    return channel
  }

  list(number: number): ChannelList {
    return this.roster.listOf(this.channel(number))
  }

  take(step: Step): void {
    switch (step.type) {
      case 'overwrite':
        this.#overwrite(step)
        return
      case 'hoist':
      case 'permissions':
      case 'delete':
        this.#changeRole(step.type, roles[step.role])
        return
      case 'create':
        this.#createRole()
        return
      default:
        this.#changeMember(step, accounts[step.member] ?? owner)
    }
  }

  #changeMember(step: Extract<Step, { readonly member: number }>, account: AccountId): void {
    const person = this.people.get(account)
    if (step.type === 'join' && !person) this.#joins(account)
    if (!person || account === owner) return
    switch (step.type) {
      case 'leave':
        this.people.delete(account)
        this.#happens(left(home, account))
        return
      case 'roles':
        // Nobody is given a role that is not there.
        person.roles = step.held.flatMap((each) => this.guild.roles.find(({ id }) => id === roles[each])?.id ?? [])
        this.#happens(rolesChanged(home, account, ...person.roles))
        return
      case 'nick': {
        person.nick = step.name
        const textsAfter = { nick: step.name, bio: null, pronouns: null }
        const data = { guildId: home, accountId: account, before: {}, after: {}, textsBefore: null, textsAfter }
        this.#happens({ type: 'MemberChanged', data: { ...data, timeoutReason: null } })
        return
      }
      case 'rename':
        person.name = step.name ?? 'nobody'
        this.roster.change(account, { accountName: person.name })
        return
      case 'online':
        person.isOnline = !person.isOnline
        this.roster.change(account, { isOnline: person.isOnline })
        return
      case 'join':
    }
  }

  #joins(account: AccountId): void {
    const person = { roles: [], nick: null, name: `user${account}`, isOnline: false }
    this.people.set(account, person)
    this.#happens(joined(home, account))
    this.roster.change(account, { accountName: person.name })
  }

  /** Once: a role that is gone does not come back. */
  #createRole(): void {
    const id = roles.at(-1)
    if (id === undefined || this.#hasCreated) return
    this.#hasCreated = true
    this.#happens({ type: 'RoleCreated', data: { guildId: home, role: { ...standing(id), permissions: '8' } } })
  }

  #changeRole(what: 'hoist' | 'permissions' | 'delete', id: RoleId | undefined): void {
    const found = this.guild.roles.find((each) => each.id === id)
    if (!found) return
    if (what === 'delete') {
      this.#happens({ type: 'RoleDeleted', data: { guildId: home, role: found } })
      return
    }
    const after = what === 'hoist' ? { hoist: !found.hoist } : { permissions: found.permissions === '0' ? '8' : '0' }
    this.#happens({ type: 'RoleChanged', data: { guildId: home, roleId: found.id, before: {}, after } })
  }

  #overwrite({ channel: number, target, gives }: Extract<Step, { readonly type: 'overwrite' }>): void {
    const { id: channel, overwrites } = this.channel(number)
    const ids: readonly (readonly [string, 0 | 1])[] = [
      [home, 0],
      ...roles.map((id) => [id, 0] as const),
      ...accounts.slice(1, 3).map((id) => [id, 1] as const),
    ]
    const [id, type] = ids[target] ?? [home, 0]
    const others = overwrites.filter((each) => each.id !== id)
    const one = gives ? { id, type, allow: sight, deny: '0' } : { id, type, allow: '0', deny: sight }
    const data = { guildId: home, channelId: channel, synced: [], before: overwrites, after: [...others, one] }
    this.#happens({ type: 'ChannelOverwritesChanged', data } as unknown as DomainEvent)
  }

  #happens(fact: DomainEvent): void {
    this.#position += 1n
    const actor = { kind: 'system', name: 'test' } as const
    const metadata = { eventId: '2', at: sometime, actor, correlationId: 'correlation', causationId: 'causation' }
    const event = knownEventIn({ stream: `guild-${home}`, revision: 1, position: this.#position, metadata, ...fact })
    if (!event) throw new Error('an unknown event')
    if (/^(?:Role|Channel)/.test(event.type)) this.#room.evolve(event as GuildEvent, this.#position)
    this.roster.note(event as KnownEvent, () => false)
    this.roster.follow(this.guild)
  }

  /** The rows of a channel's list, from scratch. */
  expected(number: number): readonly string[] {
    const { overwrites } = this.channel(number)
    const { guild } = this
    const sees = ([id, { roles: held }]: [AccountId, Person]): boolean =>
      holds(computePermissions(guild, { accountId: id, roles: held }, overwrites), 'VIEW_CHANNEL')
    const viewers = [...this.people].filter(sees)
    const hoisted = guild.roles.filter(({ hoist }) => hoist).toSorted((one, other) => other.position - one.position)
    const groups = [...hoisted.map(({ id }): string => id), 'online', 'offline']
    const groupOf = ({ isOnline, roles: held }: Person): string =>
      isOnline ? (hoisted.find(({ id }) => held.includes(id))?.id ?? 'online') : 'offline'
    return groups.flatMap((group) => {
      const inGroup = viewers.filter(([, person]) => groupOf(person) === group)
      const shown = ([, { nick, name: own }]: [AccountId, Person]): string => (nick ?? own).toLowerCase()
      const sorted = inGroup.toSorted(
        (one, other) =>
          (shown(one) < shown(other) ? -1 : shown(one) > shown(other) ? 1 : 0) || compareSnowflakes(one[0], other[0]),
      )
      return sorted.length === 0 ? [] : [`${group}: ${sorted.length}`, ...sorted.map(([id]) => id)]
    })
  }
}
