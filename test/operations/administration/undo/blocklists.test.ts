import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocklists, type Blocklist } from '../../../../domain/blocklist-entry/lists.ts'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const { acts, does, undo, undoes } = undoer(guildhall, admin)

const path = (list: Blocklist, value?: string, query = ''): string =>
  `/v1/admin/blocklists/${list}/entries${value === undefined ? '' : `/${encodeURIComponent(value)}`}${query}`

/** What a list says, without who added it and when. */
async function stateOf(list: Blocklist): Promise<readonly string[]> {
  const { items } = bodyOf(await does('GET', `${path(list)}?limit=200`))
  return (items as readonly Readonly<Record<string, unknown>>[])
    .map(({ created_at: _, created_by_user_id: __, ...said }) => JSON.stringify(said))
    .toSorted()
}

/** A value of each list, and the body that adds it. */
const values: Readonly<Record<Blocklist, readonly [value: string, body: object]>> = {
  ip: ['198.51.100.7', { ip: '198.51.100.7' }],
  email: ['someone@example.org', { email: 'someone@example.org' }],
  phrase: ['buy now', { phrase: 'buy now' }],
  url: ['https://bad.example/a', { url: 'https://bad.example/a' }],
  'url-domain': ['bad.example', { domain: 'bad.example' }],
  'file-sha': ['a'.repeat(64), { sha256_hex: 'a'.repeat(64) }],
  'avatar-hash': ['a_hash', { hashes: ['a_hash'] }],
  'profile-substring': ['evil', { substrings: ['evil'], scope: 'bio' }],
}

describe('to undo an act on a blocklist', () => {
  describe.each(blocklists)('on %s', (list) => {
    const [value, body] = values[list]

    it('removes what was added, adds what was removed with its details, and changes back what was changed', async () => {
      const empty = await stateOf(list)
      const added = await acts('POST', path(list), { ...body, notes: 'first', severity: 1 })
      const first = await stateOf(list)
      const changed = await acts('PATCH', path(list, value), { notes: null, category: 'phishtank' })
      const again = await undo(added.entryId)
      expect(again).toMatchObject({
        status: 409,
        body: { reason: 'changed_since', changed_by: { audit_log_id: changed.entryId } },
      })
      await undoes(changed.entryId)
      expect(await stateOf(list)).toEqual(first)
      const replaced = await acts('POST', path(list), { ...body, reason: 'second' })
      await undoes(replaced.entryId)
      expect(await stateOf(list)).toEqual(first)
      const removed = await acts('DELETE', path(list, value))
      expect(await stateOf(list)).toEqual(empty)
      await undoes(removed.entryId)
      expect(await stateOf(list)).toEqual(first)
      await does('DELETE', path(list, value))
      const anew = await acts('POST', path(list), body)
      const answer = await undoes(anew.entryId)
      expect(answer.body).toMatchObject({
        undone_entry_id: anew.entryId,
        operations: [`Remove ${list} blocklist entry`],
      })
      expect(await stateOf(list)).toEqual(empty)
    })
  })

  it('leaves members that others changed since', async () => {
    await does('POST', path('phrase'), { phrase: 'one phrase', notes: 'before' })
    const { entryId } = await acts('PATCH', path('phrase', 'one phrase'), { notes: 'changed' })
    await does('PATCH', path('phrase', 'one phrase'), { reason: 'since' })
    await undoes(entryId)
    const { items } = bodyOf(await does('GET', path('phrase')))
    expect(items).toMatchObject([{ value: 'one phrase', notes: 'before', reason: 'since' }])
  })

  it('takes back many values by as few requests as there are kinds of details before', async () => {
    await does('POST', path('avatar-hash'), { hashes: ['a1', 'a2'], notes: 'known' })
    await does('POST', path('avatar-hash'), { hashes: ['a3'], notes: 'else' })
    const before = await stateOf('avatar-hash')
    const { entryId } = await acts('POST', path('avatar-hash'), { hashes: ['a1', 'a2', 'a3', 'a4', 'a5'] })
    const { status, body } = await undo(entryId, '?dry_run=true')
    expect([status, body]).toMatchObject([200, { audit_entries: [{}, {}, {}] }])
    expect((body as { events: { type: string }[] }).events.map(({ type }) => type).toSorted()).toEqual([
      'AdminActionRecorded',
      'AdminActionRecorded',
      'AdminActionRecorded',
      'BlocklistEntryChanged',
      'BlocklistEntryChanged',
      'BlocklistEntryChanged',
      'BlocklistEntryRemoved',
      'BlocklistEntryRemoved',
    ])
    await undoes(entryId)
    expect(await stateOf('avatar-hash')).toEqual(before)
    const gone = await acts('DELETE', path('avatar-hash'), { hashes: ['a1', 'a2', 'a3'] })
    await undoes(gone.entryId)
    expect(await stateOf('avatar-hash')).toEqual(before)
  })

  it('brings substrings back in each scope with its own details', async () => {
    await does('POST', path('profile-substring'), { substrings: ['scoped'], scope: 'bio', notes: 'bio' })
    await does('POST', path('profile-substring'), { substrings: ['scoped', 'other'], scope: 'username', notes: 'name' })
    const before = await stateOf('profile-substring')
    for (const [method, of, body] of [
      ['PATCH', path('profile-substring', 'scoped'), { notes: 'both' }],
      ['DELETE', path('profile-substring', 'scoped'), undefined],
      ['DELETE', path('profile-substring'), { substrings: ['scoped', 'other'] }],
    ] as const) {
      const { entryId } = await acts(method, of, body)
      expect(await stateOf('profile-substring')).not.toEqual(before)
      await undoes(entryId)
      expect(await stateOf('profile-substring')).toEqual(before)
    }
  })

  it('does the rest where a part is as it was already, and is refused where everything is', async () => {
    const before = await stateOf('avatar-hash')
    const { entryId } = await acts('POST', path('avatar-hash'), { hashes: ['b1', 'b2'] })
    await does('DELETE', path('avatar-hash', 'b1'))
    await undoes(entryId)
    expect(await stateOf('avatar-hash')).toEqual(before)
    expect(await undo(entryId)).toMatchObject({ status: 409, body: { reason: 'changed_since' } })
  })

  it('says that nothing was changed by an act that changed nothing', async () => {
    const { entryId } = await acts('DELETE', path('url-domain', 'never.listed.example'))
    expect(await undo(entryId)).toMatchObject({ status: 409, body: { reason: 'nothing_to_undo', changed_by: null } })
  })

  it('takes back what a job added, by a job, once it has ended', async () => {
    const ended = async (id: string) => {
      const job = async () => bodyOf(await does('GET', `/v1/admin/jobs/${id}`))['job']
      await expect.poll(job).toMatchObject({ status: 'succeeded' })
    }
    const hashes = Array.from({ length: 30 }, (_, index) => index.toString(16).padStart(64, '0'))
    await does('POST', path('file-sha'), { sha256_hex: hashes[0], notes: 'known' })
    const before = await stateOf('file-sha')
    const queued = await acts('PUT', path('file-sha'), { hashes, notes: 'many' })
    await ended(queued.targetId)
    expect(await stateOf('file-sha')).toHaveLength(hashes.length)
    expect((await undoes(queued.entryId)).body).toMatchObject({
      operations: ['Update file-sha blocklist entry', 'Remove file-sha blocklist entries'],
    })
    const removal = await undoer(guildhall, admin).newest()
    expect(removal).toMatchObject({ action: 'unban_file_sha', targetType: 'job' })
    await ended(removal.targetId)
    expect(await stateOf('file-sha')).toEqual(before)
    await undoes(removal.entryId)
    await ended((await undoer(guildhall, admin).newest()).targetId)
    expect(await stateOf('file-sha')).toHaveLength(hashes.length)
  })

  it('gives the state before any of the acts that were played', async () => {
    const hash = fc.constantFrom('c1', 'c2', 'c3')
    const hashes = fc.uniqueArray(hash, { minLength: 1, maxLength: 3 })
    const notes = fc.constantFrom('x', 'y', null)
    const act = fc.oneof(
      fc.record({ does: fc.constant('add' as const), hashes, notes }),
      fc.record({ does: fc.constant('change' as const), hash, notes }),
      fc.record({ does: fc.constant('remove' as const), hashes }),
    )
    const play = async (acted: typeof act extends fc.Arbitrary<infer Drawn> ? Drawn : never) => {
      if (acted.does === 'add') return acts('POST', path('avatar-hash'), { hashes: acted.hashes, notes: acted.notes })
      if (acted.does === 'remove') return acts('DELETE', path('avatar-hash'), { hashes: acted.hashes })
      const answer = await guildhall.request('PATCH', path('avatar-hash', acted.hash), {
        token: admin.token,
        body: { notes: acted.notes },
      })
      return answer.status === 404 ? undefined : await undoer(guildhall, admin).newest()
    }
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (drawn) => {
        await does('DELETE', path('avatar-hash'), { hashes: ['c1', 'c2', 'c3'] })
        const played: { before: readonly string[]; after: readonly string[]; entry: string }[] = []
        for (const each of drawn) {
          const before = await stateOf('avatar-hash')
          const entry = await play(each)
          if (entry) played.push({ before, after: await stateOf('avatar-hash'), entry: entry.entryId })
        }
        for (const { before, after, entry } of played.toReversed()) {
          const answer = await undo(entry)
          const changed = JSON.stringify(before) !== JSON.stringify(after)
          expect([answer.status, answer.body]).toMatchObject([
            changed ? 200 : 409,
            changed ? {} : { reason: 'nothing_to_undo' },
          ])
          expect(await stateOf('avatar-hash')).toEqual(before)
        }
      }),
      {
        numRuns: 8,
        examples: [
          [
            [
              { does: 'add', hashes: ['c2', 'c1'], notes: 'x' },
              { does: 'change', hash: 'c1', notes: 'y' },
              // Two requests take it back, since the two said different things before.
              { does: 'add', hashes: ['c2', 'c1'], notes: null },
            ],
          ],
        ],
      },
    )
  })
})
