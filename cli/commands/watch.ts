import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { ApiError } from '../../client/api.ts'
import { openGateway, type Gateway } from '../../client/gateway.ts'
import { identifyAsWatcher, printDispatches, type Say } from '../watch/print-dispatches.ts'
import { runningServer } from './running-server.ts'

export interface WatchOptions {
  /** Where the server is. Default: where the settings say. */
  readonly url?: string
  /** A file with the token; `-` is standard input. Default: the environment variable. */
  readonly tokenFile?: string
  readonly json?: boolean
}

const variable = 'GUILDHALL_TOKEN'

/** Prints the dispatches of a token's account as they come, until the command is interrupted. What is no dispatch is said beside them. */
export async function watch({ url, tokenFile, json }: WatchOptions, print: Say, say: Say): Promise<void> {
  const token = await tokenIn(tokenFile)
  const server = await runningServer(url)
  const gateway = await gatewayOf(server, token, say)
  const refused = `${server} does not take this token: it is wrong, or was revoked`
  await printDispatches(gateway, { isJson: json === true, refused }, print)
}

async function gatewayOf(server: string, token: string, say: Say): Promise<Gateway> {
  try {
    return await openGateway({ url: server, token, ...identifyAsWatcher(say) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new Error(`What answers at ${server} is no instance of Guildhall, or a broken one: ${error.message}`, {
      cause: error,
    })
  }
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
