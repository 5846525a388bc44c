import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from '../../operations/support/answers.ts'
import { shredsOn } from '../../operations/support/message-shreds.ts'
import { outcomeOf, refuse, refuseFields, type Refused } from '../support/outcomes.ts'
import type { ModelAccount } from './account.ts'
import { expectEntries, type auditOn, type FoundEntry } from './audit.ts'
import type { Ears } from './ears.ts'
import { expectMails } from './mails.ts'
import { playHolder } from './holders.ts'
import { getUser } from './plays/reads.ts'
import { playOf } from './play-of.ts'
import type { Actor, AdminPlay, Ask, Verdict } from './play.ts'
import type { Scenery } from './scenery.ts'
import type { Senders } from './senders.ts'
import { isHolderStep, type AdminStep, type Step, type TargetName } from './step.ts'
import type { ShredEntry } from './plays/messages.ts'
import type { AdminWorld } from './world.ts'

/** The status of each code that the cast can meet. */
export const statuses: Readonly<Record<string, number>> = {
  INVALID_FORM_BODY: 400,
  USERNAME_SIGN_IN_ONLY: 400,
  EMAIL_UNAVAILABLE_ON_INSTANCE: 400,
  NO_PENDING_DELETION: 400,
  TAG_ALREADY_TAKEN: 400,
  UNAUTHORIZED: 401,
  ACCESS_DENIED: 403,
  MISSING_PERMISSIONS: 403,
  MISSING_ACL: 403,
  BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED: 403,
  ACCOUNT_SUSPENDED_TEMPORARILY: 403,
  ACCOUNT_SUSPENDED_PERMANENTLY: 403,
  UNKNOWN_USER: 404,
  CONFLICT: 409,
}

/** What all runs share. */
export interface Stage extends Pick<AdminWorld, 'gone' | 'signIn'> {
  readonly guildhall: TestGuildhall
  readonly senders: Senders
  /** Somebody with `*` whose requests the model does not follow. */
  readonly custodian: TestAccount
  readonly newEntries: ReturnType<typeof auditOn>
  /** The codes of all refusals so far. */
  readonly refusals: Set<string>
}

const unknownId = '1'

/** One play on accounts of its own. */
export class Run {
  readonly stage: Stage
  readonly scenery: Scenery
  readonly ears: Ears
  readonly logTokens = new Map<string, { readonly text: string; readonly skipped: number }>()
  /** Every entry of the run, oldest first. */
  readonly recorded: FoundEntry[] = []

  constructor(stage: Stage, scenery: Scenery, ears: Ears) {
    this.stage = stage
    this.scenery = scenery
    this.ears = ears
  }

  noteToken(id: string, text: string | null, skipped: number): void {
    if (text === null) this.logTokens.delete(id)
    else this.logTokens.set(id, { text, skipped })
  }

  idOf(name: 'ada' | 'brian' | 'carol' | 'engine' | 'nowhere'): string {
    return name === 'nowhere' ? unknownId : this.scenery[name].id
  }

  readonly messageOf = (author: 'ada' | 'brian' | 'nobody'): ShredEntry => {
    const { world } = this.scenery
    const own = author === 'nobody' ? [] : [...this.scenery[author].messages.keys()]
    return { channel_id: world.home.channel, message_id: own[0] ?? unknownId }
  }

  readonly jobEnded = async (job: string): Promise<void> => {
    const { guildhall, custodian } = this.stage
    await shredsOn(guildhall, custodian).ended(job)
  }

  async play(step: Step): Promise<void> {
    if (isHolderStep(step)) {
      await playHolder({ ...this.stage, ears: this.ears }, this.scenery.world, this.scenery[step.on], step)
      return
    }
    // Which ACLs the operation needs does not depend on who asks.
    const { acls } = playOf(this, this.#ask(step, this.stage.senders.root), step)
    const actor = await this.stage.senders.of(step.by, acls)
    const ask = this.#ask(step, actor)
    const play = playOf(this, ask, step)
    const verdict = await this.#perform(ask, play, step.reason)
    await play.after?.()
    if (!verdict) return
    await this.ears.expect(verdict.tells?.() ?? [], this.#ending(verdict))
    // An answer with the whole account has shown it.
    const account = this.scenery.world.accounts.get(ask.id)
    if (account && play.method !== 'GET' && (verdict.status === 204 || actor.acls[0] !== '*')) await this.look(account)
  }

  #ending({ ends }: Verdict): string | undefined {
    return ends && this.ears.has(ends.id) ? ends.id : undefined
  }

  #ask({ op, on, reason }: AdminStep, actor: Actor): Ask {
    const text = reason?.trim() ?? ''
    const id = this.#target(on, actor)
    // A reason is personal to the account, and nothing personal is kept of an erased one (decision 77). A job is no account.
    const isOfGone = id === this.scenery.world.gone && op !== 'get shred job'
    const isKept = text !== '' && text.length <= 512 && !isOfGone
    return { world: this.scenery.world, actor, id, reason: isKept ? text : null }
  }

  #target(name: TargetName, actor: Actor): string {
    if (name === 'self') return actor.id
    if (name === 'gone') return this.scenery.world.gone
    return name === 'word' ? 'word' : this.idOf(name)
  }

  /** Compares Get user, as root sees the account. */
  async look({ id }: ModelAccount): Promise<void> {
    const ask = { world: this.scenery.world, actor: this.stage.senders.root, id, reason: null }
    await this.#perform(ask, getUser(ask))
  }

  async #perform(ask: Ask, play: AdminPlay, reason?: string): Promise<Verdict | undefined> {
    const { guildhall, senders, newEntries } = this.stage
    const { actor } = ask
    const outcome = outcomeOf(() => judged(actor, play))
    const from_ms = Date.now()
    const answer = await guildhall.request(play.method, play.path, {
      ...(actor.authorization === undefined ? {} : { token: actor.authorization }),
      ...(play.body === undefined ? {} : { body: play.body }),
      headers: reason === undefined ? {} : { 'x-audit-log-reason': reason },
    })
    const window = { from_ms, to_ms: Date.now() }
    const by = { adminId: actor.id, reason: ask.reason }
    if (outcome.kind === 'refused') {
      this.stage.refusals.add(expectRefused(answer, outcome))
      expectEntries(await newEntries(senders.ids), [], by)
      return undefined
    }
    const { verdict } = outcome
    expect({ status: answer.status, code: codeOf(answer) }).toStrictEqual({ status: verdict.status, code: undefined })
    const body = (answer.body ?? {}) as Readonly<Record<string, unknown>>
    const wanted = verdict.settle(body, window)
    expect(answer.body).toStrictEqual(verdict.status === 204 ? undefined : wanted)
    const entries = await newEntries(senders.ids)
    expectEntries(entries, verdict.entries(body), by)
    this.recorded.push(...entries)
    return verdict
  }

  /** Waits until everybody has heard what was before. */
  async begin(): Promise<void> {
    await this.#flip()
    await this.ears.catchUp(({ user }) => (user as { readonly id?: unknown }).id === this.scenery.engine.id)
  }

  /** Looks at everybody once more, at what was heard, and at the audit log as its readers see it. */
  async finish(): Promise<void> {
    const { ada, brian, carol, engine } = this.scenery
    for (const account of [ada, brian, carol, engine]) await this.look(account)
    await this.#flip()
    const d = { user: { id: engine.id } }
    const told = this.scenery.world.home.members.map((to) => ({ to, t: 'GUILD_MEMBER_UPDATE', d }))
    await this.ears.expect(told, undefined)
    for (const account of [ada, engine]) await this.#readAuditLog(account)
    await expectMails(this.stage.guildhall, this.scenery.world)
  }

  /** Changes a public flag of the bot, which everybody in the guild hears after all else. */
  async #flip(): Promise<void> {
    const { engine } = this.scenery
    const { guildhall, custodian } = this.stage
    const spammer = 64n
    const name = (engine.flags & spammer) === 0n ? 'add_flags' : 'remove_flags'
    const { token } = custodian
    const path = `/v1/admin/users/${engine.id}/flags`
    bodyOf(await guildhall.request('PATCH', path, { token, body: { [name]: [spammer.toString()] } }))
    engine.flags ^= spammer
  }

  /** Whoever may view the log sees all of an entry; the others none. */
  async #readAuditLog({ id }: ModelAccount): Promise<void> {
    const { senders, guildhall } = this.stage
    const path = `/v1/admin/audit-logs?target_id=${id}&limit=200`
    const ask = async (more: readonly string[]) => {
      const { authorization = '' } = await senders.of({ kind: 'admin', holds: false, more }, [])
      return guildhall.request('GET', path, { token: authorization })
    }
    expect(await ask(['user:lookup'])).toMatchObject({ status: 403, body: { code: 'MISSING_ACL' } })
    const { logs } = bodyOf(await ask(['audit_log:view']))
    const all = logs as readonly Readonly<Record<string, unknown>>[]
    const found = all.filter(({ admin_user_id: admin }) => senders.ids.has(String(admin))).map(shownEntry)
    expect(found.toReversed()).toStrictEqual(this.recorded.filter(({ targetId }) => targetId === id))
    // The model does not follow reads of the log itself.
    await this.stage.newEntries(senders.ids)
  }
}

const shownEntry = (log: Readonly<Record<string, unknown>>) => ({
  adminId: log['admin_user_id'],
  action: log['action'],
  targetType: log['target_type'],
  targetId: log['target_id'],
  metadata: log['metadata'],
  reason: log['audit_log_reason'],
})

const codeOf = ({ status, body }: TestAnswer): unknown =>
  status >= 300 ? (body as { readonly code?: unknown }).code : undefined

/** Credential, ACLs, then path, query and body, then what the operation orders. */
function judged(actor: Actor, play: AdminPlay) {
  if (actor.credential === 'none' || actor.credential === 'bot') refuse('UNAUTHORIZED')
  if (actor.credential === 'bearer') refuse('ACCESS_DENIED')
  if (actor.credential === 'plain account') refuse('MISSING_PERMISSIONS')
  if (!actor.acls.includes('*') && !play.acls.some((acl) => actor.acls.includes(acl))) refuse('MISSING_ACL')
  if (play.faults.length > 0) refuseFields(play.faults)
  return { kind: 'done', verdict: play.judge() } as const
}

/** Returns the code. Each listed error is one of the faults; a fault without a code takes any. */
function expectRefused({ status, body }: TestAnswer, { codes, fields }: Refused): string {
  const { code, errors = [] } = body as { readonly code: string; readonly errors?: readonly Record<string, string>[] }
  expect({ code, status }).toStrictEqual({
    code: codes.length === 1 ? codes[0] : expect.toBeOneOf([...codes]),
    status: statuses[code],
  })
  if (code !== 'INVALID_FORM_BODY') return code
  expect(errors).not.toHaveLength(0)
  const strange = errors.filter(
    ({ path, code: each }) => !fields.includes(`${path}`) && !fields.includes(`${path} ${each}`),
  )
  expect(strange).toStrictEqual([])
  return code
}
