import { activeThreads_max } from '../../../domain/thread/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries' | 'readModels' | 'reservations'>

/**
 * Runs an act that gives a guild one more active thread, new or unarchived, if it may have one more: else 400 MAX_ACTIVE_THREADS.
 * Exact under any race. Only tests change `active_max`.
 */
export async function withinActiveThreads<Result extends object>(
  { queries, readModels, reservations }: Needs,
  guild: GuildId,
  context: CommandContext,
  act: () => Promise<Result>,
  active_max = activeThreads_max,
): Promise<Result> {
  const active = {
    key: `active threads of guild ${guild}`,
    limit: active_max,
    count: () => queries.threads.countActive(guild),
    refuse: () => reject('MAX_ACTIVE_THREADS'),
  }
  return reservations.within([active], async () => {
    const result = await act()
    await readModels.reached(context.written)
    return result
  })
}
