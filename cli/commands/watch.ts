import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { ApiError } from '../../client/api.ts'
import { GatewayError, openGateway, type Gateway, type Interruption } from '../../client/gateway.ts'
import { interruptible } from '../interruptible.ts'
import { dispatchLine } from '../watch/dispatch-line.ts'
import { runningServer } from './running-server.ts'

export interface WatchOptions {
  /** Where the server is. Default: where the settings say. */
  readonly url?: string
  /** A file with the token; `-` is standard input. Default: the environment variable. */
  readonly tokenFile?: string
  readonly json?: boolean
}

type Say = (line: string) => void

const variable = 'GUILDHALL_TOKEN'
const threadAccess = 1 << 2
const invalidToken = 4004

/** Prints the dispatches of a token's account as they come, until the command is interrupted. What is no dispatch is said beside them. */
export async function watch({ url, tokenFile, json }: WatchOptions, print: Say, say: Say): Promise<void> {
  const token = await tokenIn(tokenFile)
  const server = await runningServer(url)
  const gateway = await gatewayOf(server, token, say)
  await interruptible(async (signal) => {
    signal.addEventListener('abort', () => gateway.close())
    try {
      for await (const dispatch of gateway) {
        const { t, s, d } = dispatch
        print(json === true ? JSON.stringify({ t, s, d }) : dispatchLine(dispatch, new Date()))
      }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== invalidToken) throw error
      throw new Error(`${server} does not take this token: it is wrong, or was revoked`, { cause: error })
    }
  })
}

/** The account is not shown as online: nobody is there. */
async function gatewayOf(server: string, token: string, say: Say): Promise<Gateway> {
  try {
    return await openGateway({
      url: server,
      token,
      identify: {
        properties: { os: process.platform, browser: 'guildhall watch', device: 'guildhall watch' },
        presence: { status: 'invisible' },
        flags: threadAccess,
      },
      onInterruption: (interruption) => say(interruptionText(interruption)),
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new Error(`What answers at ${server} is no instance of Guildhall, or a broken one: ${error.message}`, {
      cause: error,
    })
  }
}

function interruptionText({ code, reason, isResumed, pause_ms }: Interruption): string {
  const next = isResumed ? 'Resuming' : 'Beginning anew, without what happens meanwhile,'
  return `The connection ended (${code}${reason === '' ? '' : ` ${reason}`}). ${next} in ${(pause_ms / 1000).toFixed(1)} s.`
}

/** Never from the command line, which everybody on the machine can read. */
async function tokenIn(file: string | undefined): Promise<string> {
  const given =
    file === undefined ? process.env[variable] : file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  const token = given?.trim() ?? ''
  if (token === '')
    throw new Error(
      `There is no token: put it into the environment variable ${variable}, or into a file for --token-file`,
    )
  return token
}
