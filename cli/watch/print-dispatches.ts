import { GatewayError, type Gateway, type GatewaySettings, type Interruption } from '../../client/gateway.ts'
import { interruptible } from '../interruptible.ts'
import { dispatchLine } from './dispatch-line.ts'

export type Say = (line: string) => void

interface Printing {
  /** As JSON lines instead of lines for people. */
  readonly isJson: boolean
  /** What to say where the token is not taken, or not any more. */
  readonly refused: string
}

const threadAccess = 1 << 2
const invalidToken = 4004

/** How a watcher begins. The account is not shown as online: nobody is there. */
export function identifyAsWatcher(say: Say): Pick<GatewaySettings, 'identify' | 'onInterruption'> {
  return {
    identify: {
      properties: { os: process.platform, browser: 'guildhall watch', device: 'guildhall watch' },
      presence: { status: 'invisible' },
      flags: threadAccess,
    },
    onInterruption: (interruption) => say(interruptionText(interruption)),
  }
}

/** Prints dispatches as they come, until the command is interrupted. */
export async function printDispatches(gateway: Gateway, { isJson, refused }: Printing, print: Say): Promise<void> {
  await interruptible(async (signal) => {
    signal.addEventListener('abort', () => gateway.close())
    try {
      for await (const dispatch of gateway) {
        const { t, s, d } = dispatch
        print(isJson ? JSON.stringify({ t, s, d }) : dispatchLine(dispatch, new Date()))
      }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== invalidToken) throw error
      throw new Error(refused, { cause: error })
    }
  })
}

function interruptionText({ code, reason, isResumed, pause_ms }: Interruption): string {
  const next = isResumed ? 'Resuming' : 'Beginning anew, without what happens meanwhile,'
  return `The connection ended (${code}${reason === '' ? '' : ` ${reason}`}). ${next} in ${(pause_ms / 1000).toFixed(1)} s.`
}
