import { findThread } from '../../access/thread-access.js'
import { changeThread } from '../../conversations/threads/change-thread.js'
import { deleteThread } from '../../conversations/threads/delete-thread.js'
import { threadView } from '../../conversations/threads/thread-views.js'
import type { ChannelKind } from './found-channel.js'

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
