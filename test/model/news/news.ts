import { expect } from 'vitest'
import type { TestAnswer } from '../../support/test-guildhall.ts'
import type { Payload } from '../../gateway/support/client.ts'
import { listOf, bodyOf } from '../../operations/support/answers.ts'
import { differences } from '../support/differences.ts'
import type { Done, Told } from '../support/outcomes.ts'
import { isUnavailable } from '../support/rules.ts'
import type { Cast, ModelCaller } from '../support/cast.ts'
import { compareIds, ordered, type Body } from '../support/wire.ts'
import type { ModelGuild, World } from '../support/world.ts'

/** Compares with the model what a write adds to the audit log and what the owner's session hears. */

/** The session to ask, and how to send a request. */
interface Stage {
  readonly cast: Pick<Cast, 'hear'>
  send(caller: ModelCaller, request: { readonly method: string; readonly path: string }): Promise<TestAnswer>
}

/** Runs before a write: waits until everything is over that the model does not follow. */
export async function catchUp(stage: Stage, world: World, { touches }: Done): Promise<void> {
  if (world.isUnheard) await stage.cast.hear()
  world.isUnheard = false
  const guild = world.guild(touches ?? '')
  if (!guild || guild.lastEntry !== undefined) return
  const [newest] = (await entriesOf(stage, world, guild, 'limit=1')) ?? []
  guild.lastEntry = newest === undefined ? '0' : String(newest['id'])
}

/** Runs after a write. An entry that nobody can read now is no longer read. */
export async function expectNews(stage: Stage, world: World, { touches, records, tells }: Done): Promise<void> {
  expectTold(await stage.cast.hear(), tells?.() ?? [])
  const guild = world.guild(touches ?? '')
  if (!guild) return
  const found = guild.lastEntry && (await entriesOf(stage, world, guild, `limit=100&after=${guild.lastEntry}`))
  if (!found) {
    guild.lastEntry = undefined
    return
  }
  const entries = found.toSorted((one, other) => compareIds(String(one['id']), String(other['id'])))
  expect(differences(ordered(entries), records?.() ?? [], 'the audit log')).toStrictEqual([])
  const newest = entries.at(-1)
  if (newest) guild.lastEntry = String(newest['id'])
}

/** Each is sent once. Dispatches of one name must be in order. */
function expectTold(heard: readonly Payload[], expected: readonly Told[]): void {
  const byName = (one: { readonly t?: string }, other: { readonly t?: string }): number =>
    (one.t ?? '').localeCompare(other.t ?? '')
  const found = heard.toSorted(byName).map(({ t, d }) => ({ t, d: ordered(d) }))
  const wanted = expected.toSorted(byName).map(({ t, d }) => ({ t, d: ordered(d) }))
  expect(found.map(({ t }) => t)).toStrictEqual(wanted.map(({ t }) => t))
  expect(differences(found, wanted, 'what was told')).toStrictEqual([])
}

/** The entries as the guild's owner reads them; undefined if the owner cannot enter. */
async function entriesOf(
  { send }: Stage,
  world: World,
  guild: ModelGuild,
  query: string,
): Promise<readonly Body[] | undefined> {
  const owner = world.byId(guild.ownerId)
  if (!owner?.person || isUnavailable(guild, owner.person)) return undefined
  const answer = await send(owner, { method: 'GET', path: `/v1/guilds/${guild.id}/audit-logs?${query}` })
  return listOf({ ...answer, body: bodyOf(answer)['audit_log_entries'] })
}
