import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** Has `write` fill a folder anew, unless the folder is of the same inputs. Whoever reads it meanwhile sees the old one or the new one. */
export async function whereChanged(folder, inputs, write) {
  const hash = createHash('sha256')
  for (const input of inputs) hash.update(input).update('\0')
  const stamp = hash.digest('hex')
  const stampFile = path.join(folder, 'build.stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const fresh = `${folder}.${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  await write(fresh)
  writeFileSync(path.join(fresh, 'build.stamp'), stamp)
  const old = `${fresh}.old`
  try {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
  } catch (error) {
    // Another build was quicker: it wrote the same.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error
    rmSync(fresh, { recursive: true, force: true })
  }
  rmSync(old, { recursive: true, force: true })
}
