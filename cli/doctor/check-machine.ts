import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { personalDataKeyFile } from '../personal-data-key.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { bad, checked, ok, warn, type Finding } from './finding.ts'

/** Below the first, the server counts the disk as full. */
const free_bytes = { min: 64 * 1024 ** 2, low: 1024 ** 3 } as const
const answer_ms_max = 3000

/** The data folder: whether it can be written to, and how much space is left. Makes nothing. */
export function checkDisk({ dataDir, databaseUrl, mediaUrl }: Settings): Promise<readonly Finding[]> {
  const folder = path.resolve(dataDir)
  return checked('disk', 'Set DATA_DIR to a folder that this account can write to', async () => {
    const there = await stat(folder).catch(orMissing)
    if (!there)
      return databaseUrl === undefined || mediaUrl === undefined
        ? warn(
            'disk',
            `${folder} is not there yet`,
            'The first start makes it; if there is an instance, DATA_DIR is wrong',
          )
        : ok('disk', 'nothing is kept here')
    if (!there.isDirectory()) return bad('disk', `DATA_DIR ${folder} is a file`, 'Set DATA_DIR to a folder')
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const left = bavail * bsize
    const text = `${folder} has ${Math.floor(left / 1024 ** 2)} MiB left`
    if (left < free_bytes.min)
      return bad('disk', text, 'Make space: the server counts as not ready, and writes fail once nothing is left')
    return left < free_bytes.low ? warn('disk', text, 'Make space, or watch it') : ok('disk', text)
  })
}

/** The file of the key of personal data, if no setting gives the key: only who serves the instance should read it. */
export function checkKeyFile({ personalDataKey, dataDir }: Settings): Promise<readonly Finding[]> {
  const file = path.resolve(personalDataKeyFile(dataDir))
  return checked('keys', `Let this account read ${file}`, async () => {
    const there = personalDataKey === undefined ? await stat(file).catch(orMissing) : undefined
    return there && (there.mode & 0o077) !== 0
      ? warn('keys', `others on this machine can read ${file}`, `Run: chmod 600 ${file}`)
      : []
  })
}

const readyAnswer = z.object({ missing: z.array(z.string()), without: z.array(z.string()) })

/** Whether a process of these settings runs, and what it says of itself. A stopped one is no fault. */
export async function checkServer({ status: { host, port } }: Settings): Promise<Finding> {
  if (port === 0) return ok('server', 'not asked: STATUS_PORT is 0')
  const url = `http://${reachable(host)}:${port}/_ready`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answer_ms_max) })
    const { missing, without } = readyAnswer.parse(await answer.json())
    if (!answer.ok)
      return bad(
        'server',
        `it runs, and lacks: ${missing.join(', ')}`,
        'The lines of those parts say more, and so does its log',
      )
    return without.length === 0
      ? ok('server', 'it runs and is ready')
      : warn(
          'server',
          `it runs without: ${without.join(', ')}`,
          'The lines of those parts say more, and so does its log',
        )
  } catch (error) {
    if (error instanceof TypeError) return ok('server', `stopped: nobody answers at ${url}`)
    return bad('server', `something at ${url} gives no usable answer`, 'End what hangs there, or set STATUS_PORT')
  }
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function orMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return undefined
  throw error
}
