import { findThread } from '../../access/thread-access.ts'
import { changeThread } from '../../conversations/threads/change-thread.ts'
import { deleteThread } from '../../conversations/threads/delete-thread.ts'
import { threadView } from '../../conversations/threads/thread-views.ts'
import type { ChannelKind } from './found-channel.ts'

/** Threads (rules/channels#reach-a-thread). */
export const threadKind: ChannelKind = (ports) => {
  const change = changeThread(ports)
  const remove = deleteThread(ports)
  return async (caller, channelId) => {
    const access = await findThread(ports, caller, channelId)
    return (
      access && {
        read: () => threadView(ports, caller, access.thread),
        change: async (body) => change(caller, access, body.ofThread()),
        delete: () => remove(caller, access),
      }
    )
  }
}
