import { EventEmitter, once } from 'node:events'
import { openGateway } from '../../client/gateway.ts'
import type { Dispatch } from '../../client/protocol.ts'
import type { Timeline } from './timeline.ts'

/** A person's Gateway session. */
export interface Session {
  /** Waits for the next dispatch of this name that no call has waited for yet. Rejects after `dispatchWait_ms_max`. */
  waitFor(name: Dispatch['t']): Promise<void>
  close(): void
}

const dispatchWait_ms_max = 10_000

/** Opens a session and resolves after READY. Each dispatch is written into the timeline as it arrives. */
export async function openSession(server: string, token: string, who: string, timeline: Timeline): Promise<Session> {
  const gateway = await openGateway({ url: server, token })
  const unclaimed: Dispatch['t'][] = []
  const news = new EventEmitter()
  let ending: Error | undefined
  const read = async (): Promise<void> => {
    for await (const dispatch of gateway) {
      timeline.add('dispatch', who, `${dispatch.t} s=${dispatch.s}${summary(dispatch)}`)
      unclaimed.push(dispatch.t)
      news.emit('change')
    }
  }
  read().catch((error: unknown) => {
    ending = error instanceof Error ? error : new Error(String(error))
    news.emit('change')
  })
  const session: Session = {
    async waitFor(name) {
      const deadline = AbortSignal.timeout(dispatchWait_ms_max)
      for (;;) {
        const index = unclaimed.indexOf(name)
        if (index >= 0) {
          unclaimed.splice(index, 1)
          return
        }
        if (ending) throw ending
        if (deadline.aborted) throw new Error(`No ${name} came within ${dispatchWait_ms_max} ms`)
        await once(news, 'change', { signal: deadline }).catch(() => undefined)
      }
    },
    close: () => gateway.close(),
  }
  try {
    await session.waitFor('READY')
  } catch (error) {
    session.close()
    throw error
  }
  return session
}

function summary({ t, d }: Dispatch): string {
  switch (t) {
    case 'READY':
      return ` session_id=${d.session_id}`
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      return ` ${d.user.username}`
    case 'GUILD_MEMBER_REMOVE':
      return ` ${d.user.id}`
    case 'GUILD_CREATE':
      return ` ${d.properties.name}, ${d.member_count} members`
    case 'GUILD_AUDIT_LOG_ENTRY_CREATE':
      return ` action_type=${d.action_type} target_id=${d.target_id}`
    case 'INVITE_CREATE':
    case 'INVITE_DELETE':
      return ` code=${d.code}`
    default:
      return ''
  }
}
