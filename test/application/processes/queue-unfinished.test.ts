import { describe, expect, it } from 'vitest'
import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import type { JobPayloads, Jobs, JobWishes, StepReference } from '../../../application/ports/jobs.ts'
import type { UnfinishedStep } from '../../../application/ports/queries/unfinished-queries.ts'
import { finishStep } from '../../../application/processes/finish-step.ts'
import { queueUnfinished, scannedSteps_max } from '../../../application/processes/queue-unfinished.ts'
import { register } from '../../../application/identity/accounts/registering/register.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { world, type World } from '../support/world.ts'

/** Records the added jobs by their keys. */
function notedJobs() {
  const added: { readonly task: string; readonly payload: StepReference; readonly key: string | undefined }[] = []
  const jobs: Jobs<Pick<JobPayloads, 'finish_step' | 'finish_authored_messages'>> = {
    add: async (task, payload, { key }: JobWishes = {}) => void added.push({ task, payload, key }),
  }
  return { added, jobs }
}

async function redeemed(): Promise<World> {
  const on = world()
  const { code } = await on.guildOf(await on.newcomer())
  const account = await on.newcomer()
  on.dieBefore('MemberJoined')
  await expect(acceptInvite(on.ports)(await on.as(account), code)).rejects.toThrow('MemberJoined')
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(1)
  return on
}

async function onlyStep(on: World): Promise<UnfinishedStep> {
  const [step] = await on.ports.queries.unfinished.before(on.now, 1)
  if (!step) throw new Error('Nothing is unfinished')
  return step
}

describe('a scan for unfinished steps', () => {
  it('adds a job for each step that is old enough, with a key that is the step’s own', async () => {
    const on = await redeemed()
    const { added, jobs } = notedJobs()
    const scan = queueUnfinished(on.ports.queries.unfinished, jobs)
    const step = await onlyStep(on)
    expect(await scan(step.since)).toBe(0)
    expect(await scan(on.now)).toBe(1)
    const { process, key, eventId } = step
    expect(added).toStrictEqual([
      { task: 'finish_step', payload: { process, key, eventId }, key: `finish_step ${eventId}` },
    ])
  })

  it('continues where the last one ended, so that steps that stay unfinished hide no others, and starts again at the end', async () => {
    const all = Array.from({ length: scannedSteps_max + 2 }, (_, index) => `step ${String(index).padStart(6, '0')}`)
    const { added, jobs } = notedJobs()
    const unfinished = {
      before: async (_: unknown, limit: number, after?: UnfinishedStep) =>
        all
          .filter((key) => after === undefined || key > after.key)
          .slice(0, limit)
          .map((key) => ({ process: 'founding', key, eventId: key }) as UnfinishedStep),
    }
    const scan = queueUnfinished(unfinished, jobs)
    const looked = [await scan(timestamp(0)), await scan(timestamp(0)), await scan(timestamp(0))]
    expect(looked).toStrictEqual([scannedSteps_max, 2, scannedSteps_max])
    expect(new Set(added.map(({ payload }) => payload.key)).size).toBe(all.length)
  })
})

describe('a step that older workers do not know', () => {
  it('has a task of its own, which they leave alone', async () => {
    const { added, jobs } = notedJobs()
    const reference = { process: 'authored_messages', key: '7', eventId: 'erased' } as const
    const began = { stream: streamName('account', '7'), since: timestamp(0), correlationId: 'request', data: {} }
    await queueUnfinished({ before: async () => [{ ...reference, ...began }] }, jobs)(timestamp(0))
    const task = 'finish_authored_messages'
    expect(added).toStrictEqual([{ task, payload: reference, key: `${task} erased` }])
  })
})

describe('finishing one step', () => {
  it('finishes it, and does nothing if it is finished already', async () => {
    const on = await redeemed()
    const step = await onlyStep(on)
    expect(await finishStep(on.ports)(step, on.now)).toBe(true)
    expect(await finishStep(on.ports)(step, on.now)).toBe(false)
    expect(await on.ports.queries.unfinished.before(on.now, 1)).toStrictEqual([])
  })

  it('ignores what began later under the same key: its request is still working on it', async () => {
    const on = world()
    const wishes = {
      email: 'ada@example.com',
      username: 'Ada',
      globalName: null,
      password: 'a password',
      dateOfBirth: null,
      consent: true,
      inviteCode: null,
      registrationUrlCode: null,
    }
    on.dieBefore('AccountRegistered')
    await expect(register(on.ports)(on.requester(), wishes)).rejects.toThrow('AccountRegistered')
    on.restart()
    await on.ports.readModels.reached(0n)
    on.wait(1)
    const claims = await on.ports.queries.unfinished.before(on.now, 10)
    const claim = claims.find(({ process }) => process === 'handle_claim')
    if (!claim) throw new Error('No tag is claimed')
    const again = { ...claim, eventId: '00000000-0000-7000-8000-000000000000' }
    expect(await finishStep(on.ports)(again, on.now)).toBe(false)
    expect((await on.events()).map(({ type }) => type)).not.toContain('HandleReleased')
    expect(await finishStep(on.ports)(claim, on.now)).toBe(true)
    expect((await on.events()).map(({ type }) => type)).toContain('HandleReleased')
  })
})
