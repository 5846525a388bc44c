import { expect } from 'vitest'
import type { Payload } from '../../gateway/support/client.ts'
import type { TestAnswer } from '../../support/test-guildhall.ts'
import { viewAfter, viewOverHttp, wholeView, type GuildView } from './guild-view.ts'
import { sendAs, type Member, type Stage } from './stage.ts'
import { watch, type Watcher } from './watcher.ts'

/** Who sees each channel, by HTTP, sorted. */
export type Viewers = ReadonlyMap<string, readonly string[]>

const isList = ({ t }: Payload): boolean => t === 'GUILD_MEMBER_LIST_UPDATE'

/** A member's session, what its client shows, and what HTTP shows to its account. */
export class Spectator {
  readonly member: Member
  readonly watcher: Watcher
  /** What it should have heard while its connection was lost. */
  missed: readonly string[] = []
  readonly #stage: Stage
  #shown: GuildView
  #overHttp: GuildView
  #looksAt: string | undefined
  /** The list that it was sent last of the channel that it looks at. */
  #list: readonly string[] | undefined

  private constructor(stage: Stage, member: Member, watcher: Watcher, overHttp: GuildView) {
    this.#stage = stage
    this.member = member
    this.watcher = watcher
    this.#overHttp = overHttp
    const guilds = watcher.ready.d['guilds'] as readonly { readonly id: string }[]
    this.#shown = wholeView(guilds.find(({ id }) => id === stage.home.id))
  }

  static async of(stage: Stage, member: Member): Promise<Spectator> {
    const read = (path: string): Promise<TestAnswer> => sendAs(stage, member.account, 'GET', path)
    const watcher = await watch(stage.guildhall.url, member.account)
    return new Spectator(stage, member, watcher, await viewOverHttp(stage.home.id, read))
  }

  read(path: string): Promise<TestAnswer> {
    return sendAs(this.#stage, this.member.account, 'GET', path)
  }

  get channels(): readonly string[] {
    return this.#overHttp.channels
  }

  async lookOverHttp(): Promise<void> {
    this.#overHttp = await viewOverHttp(this.#stage.home.id, (path) => this.read(path))
  }

  /** Asks for the list of a channel. Who may not have it goes on to look where it did. */
  look(channel: string): boolean {
    if (!this.watcher.isThere()) return false
    this.watcher.look(this.#stage.home.id, channel)
    if (!this.#overHttp.channels.includes(channel)) return true
    this.#looksAt = channel
    this.#list = undefined
    return true
  }

  /** Who leaves looks at nothing any more. */
  leave(): void {
    this.#looksAt = undefined
    this.#list = undefined
  }

  /** Expects what it shows after a step to be what HTTP shows, and each list to be that of before or after the step. */
  take(heard: readonly Payload[], before: Viewers, after: Viewers): void {
    for (const payload of heard) {
      this.#shown = viewAfter(this.#stage.home.id, this.#shown, payload)
      if (isList(payload)) this.#takeList(payload, before, after)
    }
    expect(this.#shown).toStrictEqual(this.#overHttp)
  }

  /** Waits for the whole list of what it looks at, if it may have it. */
  async seesList(viewers: Viewers): Promise<void> {
    const channel = this.#looksAt
    if (!this.watcher.isThere() || channel === undefined || !this.#overHttp.channels.includes(channel)) return
    while (this.#list?.join() !== viewers.get(channel)?.join())
      this.take(await this.watcher.heardUntil(isList, `list of ${viewers.get(channel)?.join()}`), viewers, viewers)
  }

  #takeList({ d }: Payload, before: Viewers, after: Viewers): void {
    const channel = String(d['channel_id'])
    const [{ items = [] } = {}] = d['ops'] as readonly { readonly items?: readonly Item[] }[]
    const listed = items.flatMap(({ member }) => member?.user.id ?? []).toSorted()
    const allowed = [before, after].map((viewers) => viewers.get(channel) ?? [])
    expect(allowed).toContainEqual(listed)
    expect(listed).toContain(this.member.account.id)
    if (channel === this.#looksAt) this.#list = listed
  }
}

interface Item {
  readonly member?: { readonly user: { readonly id: string } }
}
