import { describe, expect, it } from 'vitest'
import { takesDryRun } from '../../../adapters/http/dry-runs.ts'
import type { Operation } from '../../../adapters/http/operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { nothingRevealed } from '../../../application/administration/history/masked-event.ts'
import { objectOfEvent } from '../../../application/administration/history/objects-for-readers.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { DryRunObject } from '../../../application/wire-objects/administration/dry-run-object.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import { backupCode, protect } from '../../support/authenticator.ts'
import { adminKeyOf, administrator, auditEntries } from '../../support/administrators.ts'
import type { TestGuildhall, TestOptions } from '../../support/test-guildhall.ts'
import { adminExamples } from '../support/admin-examples.ts'
import { bodyOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const operations = allOperations.filter(takesDryRun)

async function openStage(options: TestOptions) {
  const guildhall = await openServer(options)
  return { guildhall, admin: await administrator(guildhall, '*') }
}

/** What the request itself has appended after a position. */
async function eventsOf({ store: { events } }: TestGuildhall, { name, becomes }: Operation, after: Position) {
  const found: RecordedEvent[] = []
  for await (const page of events.readAll(after))
    found.push(
      ...page.filter(({ metadata: { operation } }) => (becomes ? operation !== undefined : operation === name)),
    )
  return found
}

/** Without the ids, instants, hashes and secrets that each request makes for itself, and whether a job had ended by then. */
function comparable({ stream, type, data }: DryRunObject['events'][number]) {
  const sorted = JSON.stringify(data, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  const ownOnes = /"(?:\d{17,}|[\w+/=-]{20,}|\d{4}-\d\d-\d\dT[^"]*)"|(?<="cancelled":)"(?:true|false)"/g
  return { category: stream.split('-', 1)[0], type, data: sorted.replace(ownOnes, '"…"') }
}

/** Operations with work that goes on after the answer, and so beside the entry of the admin audit log. */
const endsAfterAnswer: readonly string[] = ['Delete Admin guild']

type Events = DryRunObject['events']
const inTheirOrder = (events: Events): Events => events
const byCategory = (events: Events): Events =>
  events.toSorted((a, b) => (comparable(a).category ?? '').localeCompare(comparable(b).category ?? ''))

/** An event as a dry run shows it. */
function shown(event: RecordedEvent): DryRunObject['events'][number] {
  const { stream, type, data, left_out } = objectOfEvent(event, nothingRevealed)
  return { stream, type, data, left_out, dispatches: [] }
}

describe('the dry run of an operation for administrators', async () => {
  const stages = {
    email: await openStage({}),
    username: await openStage({ policy: { accountIdentity: { signIn: 'username', tagStyle: 'none' } } }),
    hosted: await openStage({ hosted: true }),
  }
  const stageOf = ({ signIn, hostedOnly }: Operation) => stages[hostedOnly ? 'hosted' : (signIn ?? 'email')]

  const exampleOf = async (operation: Operation) => {
    const stage = stageOf(operation)
    const example = adminExamples[operation.name]
    if (!example) throw new Error(`${operation.name} has no example`)
    const { path, body } = await example.succeeds(stage)
    const ask = (query: string) =>
      stage.guildhall.request(operation.method, `${path}${path.includes('?') ? '&' : '?'}${query}`, {
        token: stage.admin.token,
        ...(body === undefined ? {} : { body }),
      })
    return { ...stage, ask }
  }

  it.each(operations)('names the events that the act then writes, and writes none: $name', async (operation) => {
    const { guildhall, ask } = await exampleOf(operation)
    const { events } = guildhall.store
    const before = await events.end()
    const foretold = await ask('dry_run=true')
    expect([foretold.status, foretold.body]).toEqual([200, foretold.body])
    expect(await eventsOf(guildhall, operation, before)).toEqual([])
    const { status, events: would } = foretold.body as DryRunObject
    const done = await ask('dry_run=false')
    expect([done.status, status]).toEqual([operation.success.status, operation.success.status])
    await expect
      .poll(async () => (await eventsOf(guildhall, operation, before)).length)
      .toBeGreaterThanOrEqual(would.length)
    const written = (await eventsOf(guildhall, operation, before)).map(shown)
    const inOrder = endsAfterAnswer.includes(operation.name) ? byCategory : inTheirOrder
    expect(inOrder(would).map(comparable)).toEqual(inOrder(written).map(comparable))
  })
  it.each(operations.filter(({ name }) => adminExamples[name]?.refused))(
    'is refused where the act is, with the same answer: $name',
    async (operation) => {
      const stage = stageOf(operation)
      const request = adminExamples[operation.name]?.refused?.(stage)
      if (!request) throw new Error(`${operation.name} has no refused example`)
      const { path, body, status } = request
      const ask = (dryRun: boolean) =>
        stage.guildhall.request(operation.method, `${path}?dry_run=${String(dryRun)}`, {
          token: stage.admin.token,
          ...(body === undefined ? {} : { body }),
        })
      const foretold = await ask(true)
      expect(foretold.status).toBe(status)
      expect(foretold.body).toEqual((await ask(false)).body)
    },
  )

  const { guildhall, admin } = stages.email
  const limited = await openServer({ rateLimits: true })
  const onAccount = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', of: string, body?: object) => {
    const { id } = await guildhall.register()
    const path = `/v1/admin/users/${id}/${of}`
    const { body: told } = await guildhall.request(method, `${path}?dry_run=1`, {
      token: admin.token,
      ...(body && { body }),
    })
    return { id, path, told: told as DryRunObject }
  }

  it('names the mails that would be sent, and to whose account, but not the address', async () => {
    const { id, told } = await onAccount('PUT', 'ban', { duration_hours: 1 })
    expect(told.mails).toEqual([{ template: 'account_banned', user_id: id }])
    expect(JSON.stringify(told)).not.toContain('@')
    const { rows } = await guildhall.store.database.pool.query('select from mail.outbox where account_id = $1', [id])
    expect(rows).toEqual([])
  })
  it('names the jobs that would be queued, and queues none', async () => {
    const { id, told } = await onAccount('POST', 'archives')
    expect(told.jobs).toEqual([{ task: 'user_archive', total: null }])
    const { archives } = bodyOf(await guildhall.request('GET', '/v1/admin/archives', { token: admin.token }))
    expect(archives).not.toContainEqual(expect.objectContaining({ subject_id: id }))
  })
  it('names the entry that the act would leave, and leaves none', async () => {
    const { id, told } = await onAccount('PATCH', 'flags', { add_flags: ['1'] })
    const entry = { action: 'update_flags', target_type: 'user', target_id: id }
    expect(told.audit_entries).toEqual([{ ...entry, metadata: { add_flags: '1', new_flags: '1' } }])
    expect((await auditEntries(guildhall)).filter(({ targetId }) => targetId === id)).toEqual([])
  })
  it('names the dispatches that each event may lead to', async () => {
    const { told } = await onAccount('PATCH', 'flags', { add_flags: ['1'] })
    expect(told.events.map(({ type, dispatches }) => [type, dispatches])).toEqual([
      ['FlagsChanged', expect.arrayContaining(['USER_UPDATE'])],
      ['AdminActionRecorded', []],
    ])
  })
  it('leaves out what is personal', async () => {
    const { told } = await onAccount('PATCH', 'email', { email: 'somebody.else@example.com' })
    expect(told.events.flatMap(({ left_out: leftOut }) => leftOut)).toContain('email')
    expect(JSON.stringify(told)).not.toContain('somebody.else')
  })
  it('does nothing with an Idempotency-Key, which then still does the act once', async () => {
    const headers = { 'idempotency-key': 'a-key-of-mine' }
    const create = (query: string) =>
      guildhall.request('POST', `/v1/admin/api-keys${query}`, {
        token: admin.token,
        headers,
        body: { name: 'Foretold', acls: [] },
      })
    expect((await create('?dry_run=true')).body).toMatchObject({ status: 200 })
    const [first, again] = [await create(''), await create('')]
    expect(again.body).toEqual(first.body)
  })
  it('asks for sudo mode as the act does, names the use of a code, and does not use it up', async () => {
    const holder = await protect(guildhall, await administrator(guildhall, '*'))
    const create = (query: string, code?: string) =>
      guildhall.request('POST', `/v1/admin/api-keys${query}`, {
        token: holder.token,
        body: { name: 'Proved', acls: [], ...(code !== undefined && { mfa_method: 'totp', mfa_code: code }) },
      })
    expect(await create('?dry_run=true')).toMatchObject({ status: 403, body: { code: 'SUDO_MODE_REQUIRED' } })
    const before = await guildhall.store.events.end()
    const code = backupCode(holder, 0)
    const { status, body } = await create('?dry_run=true', code)
    expect(status).toBe(200)
    const would = (body as DryRunObject).events.map(({ type }) => type)
    expect(await guildhall.store.events.end()).toBe(before)
    expect((await create('', code)).status).toBe(200)
    const written: string[] = []
    for await (const page of guildhall.store.events.readAll(before)) written.push(...page.map(({ type }) => type))
    expect(would).toEqual(written)
  })
  it('counts wrong codes of dry runs as guesses', async () => {
    const holder = await protect(limited, await administrator(limited, '*'))
    const create = async (query: string, code: string) => {
      const body = { name: 'Guessed', acls: [], mfa_method: 'totp', mfa_code: code }
      return (await limited.request('POST', `/v1/admin/api-keys${query}`, { token: holder.token, body })).status
    }
    for (let guesses = 0; guesses < 10; guesses += 1)
      expect(await create('?dry_run=true', holder.app.wrongCode())).toBe(400)
    expect(await create('', backupCode(holder, 0))).toBe(400)
  })
  it.each(['yes', '', 'TRUE', '2'])('is refused for a value that says neither yes nor no: %j', async (value) => {
    const { id } = await guildhall.register()
    const path = `/v1/admin/users/${id}/flags?dry_run=${value}`
    const answer = await guildhall.request('PATCH', path, { token: admin.token, body: { add_flags: ['1'] } })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'INVALID_FORM_BODY', errors: [{ path: 'dry_run' }] },
    ])
    expect((await guildhall.request('GET', `/v1/admin/users/${id}`, { token: admin.token })).body).toMatchObject({
      users: [{ flags: '0' }],
    })
  })
  it('is refused if it is asked for twice', async () => {
    const { id } = await guildhall.register()
    const path = `/v1/admin/users/${id}/flags?dry_run=true&dry_run=false`
    const answer = await guildhall.request('PATCH', path, { token: admin.token, body: { add_flags: ['1'] } })
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path: 'dry_run' }] }])
  })
  it('needs the ACLs of the act', async () => {
    const { id } = await guildhall.register()
    const key = await adminKeyOf(guildhall, admin, 'admin:authenticate')
    const answer = await guildhall.request('PATCH', `/v1/admin/users/${id}/flags?dry_run=true`, {
      token: key,
      body: { add_flags: ['1'] },
    })
    expect([answer.status, answer.body]).toMatchObject([403, { code: 'MISSING_ACL' }])
  })
})
