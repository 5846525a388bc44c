import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelId, type ChannelId, type RoleId } from '../../../domain/ids/ids.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { last, type Client, type Payload } from '../support/client.ts'
import { joined, left, rolesChanged } from '../support/facts.ts'
import { holdsIn, listFromScratch, rowsIn, type Listable } from '../support/list-audience.ts'
import { overwritten, people_count, statuses, steps, type Step } from '../support/list-steps.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/**
 * Random steps in a guild: overwrites, roles, who comes and goes, presences, lost connections, and looks at lists. LISTS_SEED=<seed>
 * repeats a run, LISTS_RUNS is the number of runs.
 */

const runs = Number(process.env['LISTS_RUNS'] ?? 20)
const given = process.env['LISTS_SEED'] ?? '20261130'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)

/** Ticks in which each list is sent, and a lost connection counts as offline before. */
const sent_ticks = 10
const offline_ticks = 32

/** A member's session: what it looks at, and what its client shows. */
interface Watcher {
  readonly account: Account
  client: Client
  sessionId: string
  isThere: boolean
  status: string
  looksAt: ChannelId | undefined
  /** The rows that it was sent last of what it looks at; undefined if it was sent none. */
  view: readonly string[] | undefined
}

class Play {
  readonly #stage: Stage
  readonly #place: Place
  readonly #channels: readonly ChannelId[]
  readonly #roles: readonly RoleId[]
  readonly #watchers: readonly Watcher[]

  private constructor(stage: Stage, place: Place, roles: readonly RoleId[], watchers: readonly Watcher[]) {
    this.#stage = stage
    this.#place = place
    this.#roles = roles
    this.#watchers = watchers
    this.#channels = this.#guild()
      .channels.filter(({ type }) => type === 0)
      .map(({ id }) => id)
  }

  static async open(): Promise<Play> {
    const stage = await openStage()
    const [owner, ...others] = Array.from({ length: people_count }, () => stage.account())
    if (!owner) throw new Error('nobody plays')
    const place = stage.found(owner)
    const plain = { type: 0, topic: null, nsfw: false, rateLimitPerUser: 0, voice: null, position: 9, parentId: null }
    const second = { ...plain, id: channelId(stage.newId()), name: 'more', overwrites: [] }
    stage.happen({ type: 'ChannelCreated', data: { guildId: place.id, channel: second } } as unknown as DomainEvent)
    for (const { id } of others) stage.happen(joined(place.id, id))
    const roles = [stage.role(place), stage.role(place)]
    await stage.handled()
    const watchers: Watcher[] = []
    for (const account of [owner, ...others]) {
      const client = await stage.identify(account)
      watchers.push({
        account,
        client,
        sessionId: client.sessionId,
        isThere: true,
        status: 'online',
        looksAt: undefined,
        view: undefined,
      })
    }
    return new Play(stage, place, roles, watchers)
  }

  /** Takes a step, lets time pass, and expects that each client shows what it may, and heard of nothing else. */
  async take(step: Step): Promise<void> {
    await this.#happens(step)
    await this.#settle(step.type === 'connection' ? offline_ticks : sent_ticks)
    for (const watcher of this.#watchers) {
      if (!watcher.isThere) continue
      const { account, looksAt } = watcher
      const mayLook =
        looksAt !== undefined && holdsIn(this.#listable(), looksAt, account, 'VIEW_CHANNEL', 'VIEW_CHANNEL_MEMBERS')
      for (const update of await this.#updates(watcher)) {
        expect(mayLook && update.d['channel_id']).toBe(looksAt)
        watcher.view = rowsIn(update)
      }
      if (mayLook) expect(watcher.view).toStrictEqual(listFromScratch(this.#listable(), looksAt))
    }
  }

  async end(): Promise<void> {
    expect(this.#stage.errors).toStrictEqual([])
    await this.#stage.end()
  }

  #guild() {
    const guild = this.#stage.models.guilds.get(this.#place.id)
    if (guild?.status !== 'active') throw new Error('the guild is gone')
    return guild
  }

  #listable(): Listable {
    const statusOf = ({ id }: Account): string => {
      const { status = 'offline', isThere = false } = this.#watchers.find(({ account }) => account.id === id) ?? {}
      return isThere && status !== 'invisible' ? status : 'offline'
    }
    return { stage: this.#stage, place: this.#place, people: this.#watchers.map(({ account }) => account), statusOf }
  }

  async #settle(ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) {
      await this.#stage.handled()
      this.#stage.clock.advance(250)
      await this.#stage.turn()
    }
  }

  async #updates({ client }: Watcher): Promise<readonly Payload[]> {
    client.send(1, null)
    const heard = await client.until(({ op }) => op === 11, 'ACK')
    return heard.filter(({ t }) => t === 'GUILD_MEMBER_LIST_UPDATE')
  }

  async #happens(step: Step): Promise<void> {
    switch (step.type) {
      case 'overwrite':
        this.#overwrite(step)
        return
      case 'hoist':
      case 'delete':
        this.#changeRole(step.type, this.#roles[step.role])
        return
      case 'role': {
        const held = this.#rolesOf(step.member)
        const role = this.#roles[step.role]
        if (!held || !role || !this.#guild().roles.some(({ id }) => id === role)) return
        const next = held.includes(role) ? held.filter((id) => id !== role) : [...held, role]
        this.#stage.happen(rolesChanged(this.#place.id, this.#watcher(step.member).account.id, ...next))
        return
      }
      case 'membership':
        await this.#comeOrGo(this.#watcher(step.member), this.#rolesOf(step.member) !== undefined)
        return
      case 'status':
        this.#say(this.#watcher(step.member), statuses[step.status] ?? 'online')
        return
      case 'connection':
        await this.#loseOrResume(this.#watcher(step.member))
        return
      case 'look':
        this.#look(this.#watcher(step.member), this.#channels[step.channel])
    }
  }

  #watcher(number: number): Watcher {
    const watcher = this.#watchers[number]
    if (!watcher) throw new Error('nobody has this number')
    return watcher
  }

  /** Undefined for an account that is no member. */
  #rolesOf(number: number): readonly RoleId[] | undefined {
    const state = this.#stage.models.members.get(`${this.#place.id} ${this.#watcher(number).account.id}`)
    return state?.status === 'member' ? state.roles : undefined
  }

  #overwrite({ channel: number, target, values }: Extract<Step, { readonly type: 'overwrite' }>): void {
    const found = this.#guild().channels.find(({ id }) => id === this.#channels[number])
    const targets: readonly (readonly [string | undefined, 0 | 1])[] = [
      [this.#place.id, 0],
      ...this.#roles.map((id) => [id, 0] as const),
      ...this.#watchers.slice(1).map(({ account }) => [account.id, 1] as const),
    ]
    const [id, type] = targets[target] ?? [undefined, 0]
    if (!found || id === undefined) return
    const bits = (wanted: string): string =>
      overwritten
        .reduce((mask, name, index) => (values[index] === wanted ? mask | permissionBits[name] : mask), 0n)
        .toString()
    const others = found.overwrites.filter((each) => each.id !== id)
    const after = [...others, { id, type, allow: bits('allow'), deny: bits('deny') }]
    const data = { guildId: this.#place.id, channelId: found.id, synced: [], before: found.overwrites, after }
    this.#stage.happen({ type: 'ChannelOverwritesChanged', data } as unknown as DomainEvent)
  }

  #changeRole(what: 'hoist' | 'delete', id: RoleId | undefined): void {
    const role = this.#guild().roles.find((each) => each.id === id)
    if (!role) return
    const guildId = this.#place.id
    const after = { hoist: !role.hoist }
    this.#stage.happen(
      what === 'delete'
        ? { type: 'RoleDeleted', data: { guildId, role } }
        : { type: 'RoleChanged', data: { guildId, roleId: role.id, before: { hoist: role.hoist }, after } },
    )
  }

  async #comeOrGo(watcher: Watcher, isMember: boolean): Promise<void> {
    const { id } = watcher.account
    this.#stage.happen(isMember ? left(this.#place.id, id) : joined(this.#place.id, id))
    // Who leaves looks at nothing any more.
    watcher.looksAt = undefined
    watcher.view = undefined
    await this.#stage.handled()
  }

  #say(watcher: Watcher, status: string): void {
    if (!watcher.isThere) return
    watcher.status = status
    watcher.client.send(3, { status })
  }

  async #loseOrResume(watcher: Watcher): Promise<void> {
    if (watcher.isThere) {
      watcher.isThere = false
      watcher.client.socket.terminate()
      await watcher.client.closed
      return
    }
    const { account, client } = watcher
    // A session waits for a minute: this one may be over.
    const back = await this.#stage.resume(account, watcher.sessionId, client.sequence)
    const answer = last(await back.until(({ op, t }) => op === 9 || t === 'RESUMED', 'answer'))
    watcher.isThere = true
    watcher.client = back
    if (answer.op !== 9) return
    watcher.client = await this.#stage.identify(account)
    watcher.sessionId = watcher.client.sessionId
    watcher.status = 'online'
    watcher.looksAt = undefined
    watcher.view = undefined
  }

  /** Who may not look there goes on to look where it did. */
  #look(watcher: Watcher, at: ChannelId | undefined): void {
    const { account, client, isThere } = watcher
    if (!isThere || at === undefined) return
    client.send(14, { subscriptions: { [this.#place.id]: { member_list_channels: { [at]: [[0, 99]] } } } })
    if (!holdsIn(this.#listable(), at, account, 'VIEW_CHANNEL', 'VIEW_CHANNEL_MEMBERS')) return
    watcher.looksAt = at
    watcher.view = undefined
  }
}

describe('what a session hears of lists of members', () => {
  it(`is what it may look at, as it is, live and after a resume (LISTS_SEED=${seed})`, async () => {
    const plays = fc.array(steps, { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(plays, async (list) => {
        const play = await Play.open()
        try {
          for (const step of list) await play.take(step)
        } finally {
          await play.end()
        }
      }),
      { seed, numRuns: runs, includeErrorInReport: true },
    )
  }, 3_600_000)
})
