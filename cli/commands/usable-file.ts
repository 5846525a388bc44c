import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { getSystemErrorMap } from 'node:util'

/** Rejects, with a message for the operator, if a file can't be read. Call it before anything else. */
export async function refuseUnreadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch(sayingWhy(file, 'read'))
  if ((await stat(file)).isDirectory()) throw new Error(`${file} can't be read: it is a folder`)
}

/** The same if no file can be made in the folder of a file. */
export async function refuseUnwritable(file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch(sayingWhy(file, 'written'))
}

/** Passes on what the system said about a file, without error numbers and system calls. */
function sayingWhy(file: string, use: 'read' | 'written') {
  return (error: NodeJS.ErrnoException): never => {
    const [, reason = error.message] = getSystemErrorMap().get(error.errno ?? 0) ?? []
    throw new Error(`${file} can't be ${use}: ${reason}`, { cause: error })
  }
}
