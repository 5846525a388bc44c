import type { ChannelId } from '../../../domain/ids/ids.ts'
import { threadMembers_max, threadTypes } from '../../../domain/thread/state.ts'
import { emptyTally } from '../../wire-objects/conversations/thread-objects.ts'
import type { Messages } from '../../ports/messages.ts'
import type { ThreadQueries } from '../../ports/queries/thread-queries.ts'
import type { HeardThread, ThreadLookups } from '../../ports/thread-lookups.ts'
import { threadTallies } from './thread-views.ts'

/** What Gateways read about threads, from the read models and the messages. */
export function threadLookups(threads: ThreadQueries, messages: Messages): ThreadLookups {
  return {
    talliesOf: (ids) => threadTallies({ messages }, ids),
    async find(id) {
      const thread = await threads.find(id)
      if (!thread) return undefined
      const [tallies, members] = await Promise.all([
        threadTallies({ messages }, [id]),
        threads.members(id, { limit: threadMembers_max }),
      ])
      const byAccount = new Map(members.map((member) => [member.accountId, member]))
      return { thread, tally: tallies.get(id) ?? emptyTally, members: byAccount }
    },
    async heardBy(ids) {
      const found = await threads.findMany(ids)
      const heard = found.map(async ({ threadId, threadType, guildId }): Promise<[ChannelId, HeardThread]> => {
        if (threadType !== threadTypes.private) return [threadId, { guildId, members: null }]
        const members = await threads.members(threadId, { limit: threadMembers_max })
        return [threadId, { guildId, members: members.map(({ accountId }) => accountId) }]
      })
      return new Map(await Promise.all(heard))
    },
    async activeFor(account, isBot) {
      const active = await (isBot ? threads.activeInGuildsOf(account) : threads.activeJoinedBy(account))
      const ids = active.map(({ threadId }) => threadId)
      const [tallies, memberships] = await Promise.all([
        threadTallies({ messages }, ids),
        threads.membershipsOf(account, ids),
      ])
      const own = new Map(memberships.map((membership) => [membership.threadId, membership]))
      return active.map((thread) => ({
        thread,
        tally: tallies.get(thread.threadId) ?? emptyTally,
        member: own.get(thread.threadId),
      }))
    },
  }
}
