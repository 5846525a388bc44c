import type { Guild } from '../../domain/guild/state.ts'
import type { RoleId } from '../../domain/ids/ids.ts'
import type { Entry } from './entry.ts'
import { MemberList, type Span, type Spot } from './member-list.ts'
import { judgeOf, type Viewers } from './viewers.ts'
import type { Looking, Watch } from './watch.ts'

/** The members who see some channels of a guild, and the sessions that look at them. */
export class ChannelList {
  readonly viewers: Viewers
  /** Rows to read again. */
  readonly due = new Set<Watch>()
  /** When its changes may be read next: not before that time of the ticker. */
  notBefore_ms = 0
  /** Whether every member was judged since it was begun. Until then nobody hears of it. */
  isBuilt = false
  /** Whether somebody is at it, or will be. */
  isBuilding = false
  readonly #watches = new Map<string, Watch>()
  #members: MemberList
  #sees: (entry: Entry) => boolean

  constructor(viewers: Viewers, guild: Guild, hoisted: readonly RoleId[]) {
    this.viewers = viewers
    this.#members = new MemberList(hoisted)
    this.#sees = judgeOf(guild, viewers)
  }

  /** Another one after each time that it was begun anew. */
  get members(): MemberList {
    return this.#members
  }

  get isWatched(): boolean {
    return this.#watches.size > 0
  }

  /** Begins it anew, with nobody in it. */
  restart(guild: Guild, hoisted: readonly RoleId[]): void {
    this.isBuilt = false
    this.#members = new MemberList(hoisted)
    this.#sees = judgeOf(guild, this.viewers)
  }

  /** Judges members by the guild as it is now, who are in the list by the guild before as well. */
  judgeBy(guild: Guild): void {
    this.#sees = judgeOf(guild, this.viewers)
  }

  built(): void {
    this.isBuilt = true
    this.readAgain()
  }

  /** Takes a member out before it changes. */
  take(entry: Entry): Spot | undefined {
    return this.#members.take(entry)
  }

  /** Puts a member in if it sees the channels and its name is known. */
  put(entry: Entry, was: Spot | undefined): void {
    if (entry.accountName !== undefined && this.#sees(entry)) this.#members.put(entry, was)
    else if (was) this.#members.leave(was)
  }

  watch(span: Span, look: Looking): Watch {
    const key = `${span.from} ${span.to}`
    const watch = this.#watches.get(key) ?? { span, looks: new Set(), version: '' }
    this.#watches.set(key, watch)
    watch.looks.add(look)
    this.due.add(watch)
    return watch
  }

  unwatch(watch: Watch, look: Looking): void {
    watch.looks.delete(look)
    if (watch.looks.size > 0) return
    this.#watches.delete(`${watch.span.from} ${watch.span.to}`)
    this.due.delete(watch)
  }

  /** All rows that somebody looks at are read again: who may hear of them may have changed. */
  readAgain(): void {
    for (const watch of this.#watches.values()) this.due.add(watch)
  }

  /** Makes the rows due that changed, unless it is too early. Says whether changes still wait. */
  takeChanges(now_ms: number, period_ms: number): boolean {
    if (!this.isBuilt || now_ms < this.notBefore_ms) return this.#members.isTouched
    const touched = this.#members.takeTouched()
    if (!touched) return false
    this.notBefore_ms = now_ms + period_ms
    for (const watch of this.#watches.values())
      if (watch.span.from <= touched.to && touched.from <= watch.span.to) this.due.add(watch)
    return false
  }
}
