import type { ApplicationId } from '../../domain/ids/ids.ts'
import { streamName } from '../../domain/streams.ts'
import { requireOwnApplication } from '../apps/applications/own-application.ts'
import type { Caller } from '../caller.ts'
import { eventIdOf } from '../commands/command-context.ts'
import { followingContext } from '../commands/following-context.ts'
import type { FinishingNeeds } from './finishing-needs.ts'
import { eraseBot } from './managers/erasures.ts'

/**
 * Deletes one of the caller's applications. Its tokens become invalid, its bot leaves its guilds, and the bot's account
 * looks deleted. If the process dies in between, a process manager erases the bot. Refuses with UNKNOWN_APPLICATION,
 * ACCESS_DENIED. See rules/applications#delete.
 */
export function deleteApplication(ports: FinishingNeeds) {
  return async (caller: Caller, id: ApplicationId): Promise<void> => {
    const { context } = caller
    await requireOwnApplication(ports, caller, id)
    const command = { type: 'DeleteApplication', now: context.now } as const
    await ports.aggregates.application.execute(id, command, context)
    const deletion = eventIdOf(context, streamName('application', id), command.type, 0)
    await eraseBot(ports, id, followingContext(context, deletion))
  }
}
