import { archiveId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ArchiveSubject } from '../../ports/archives.ts'
import { archiveSteps } from '../../identity/archives/archive-steps.ts'
import type { Ports } from '../../ports.ts'
import { requireTarget } from '../users/target-account.ts'
import { archiveObject, type ArchiveObject } from './archive-object.ts'

/** How long an archive is kept, from its request on. */
const kept_s = 365 * 24 * 3600

type Needs = Pick<Ports, 'aggregates' | 'archives'>

/** Begins an archive of an account. Resolves before anything is collected. Refuses with UNKNOWN_USER. */
export function triggerUserArchive(ports: Needs) {
  return async (caller: Caller, target: AccountId, includesAttachments: boolean): Promise<ArchiveObject> => {
    await requireTarget(ports, target)
    return trigger(ports, caller, { type: 'user', id: target }, includesAttachments)
  }
}

/**
 * Begins an archive of a guild. Resolves before anything is collected. Refuses with UNKNOWN_GUILD. Nobody in the guild
 * is told.
 */
export function triggerGuildArchive(ports: Needs) {
  return async (caller: Caller, target: GuildId, includesAttachments: boolean): Promise<ArchiveObject> => {
    const { state } = await ports.aggregates.guild.load(target)
    if (state.status !== 'active') return reject('UNKNOWN_GUILD')
    return trigger(ports, caller, { type: 'guild', id: target }, includesAttachments)
  }
}

async function trigger(
  { archives }: Needs,
  { account, context }: Caller,
  subject: ArchiveSubject,
  includesAttachments: boolean,
): Promise<ArchiveObject> {
  const { now } = context
  const asked = {
    archiveId: archiveId(context.newId()),
    subject,
    origin: 'admin',
    requestedBy: account.id,
    includesAttachments,
    requestedAt: now,
    expiresAt: secondsAfter(now, kept_s),
  } as const
  await archives.add({ ...asked, filter: null })
  return archiveObject({ ...asked, ...notBegun })
}

const notBegun = {
  startedAt: null,
  completedAt: null,
  failedAt: null,
  size_bytes: null,
  percent: 0,
  step: archiveSteps.queued,
  errorMessage: null,
  downloadableUntil: null,
} as const
