import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimFolder } from '../../../../adapters/postgres/embedded/claim.ts'
import { temporaryFolder } from './support.ts'

describe('claiming a folder', () => {
  it('is free again after it was released, also when it was refused in between', async () => {
    const folder = temporaryFolder()
    const first = await claimFolder(folder)
    await expect(claimFolder(folder)).rejects.toThrow('in use')
    await first.release()
    await first.release()
    await (await claimFolder(folder)).release()
  })

  it('writes nothing while another process has it, however often it is tried', async () => {
    const folder = temporaryFolder()
    const { release } = await claimFolder(folder)
    const before = readFileSync(path.join(folder, 'claims'), 'utf8')
    for (let time = 0; time < 5; time += 1) await expect(claimFolder(folder)).rejects.toThrow('in use')
    expect(readFileSync(path.join(folder, 'claims'), 'utf8')).toBe(before)
    await release()
  })

  it('goes to exactly one of many at once', async () => {
    const folder = temporaryFolder()
    const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claimFolder(folder)))
    const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []))
    expect(won).toHaveLength(1)
    await won[0]?.release()
  })

  it('forgets the processes that were killed with it, and lines that are none', async () => {
    const folder = temporaryFolder()
    const killed = Array.from({ length: 1_000 }, (_, index) => `claim killed-${index} ${process.pid} boot/${index}\n`)
    writeFileSync(path.join(folder, 'claims'), `${killed.join('')}claim\nclaim x y z\n\n`)
    const { release } = await claimFolder(folder)
    expect(readFileSync(path.join(folder, 'claims'), 'utf8').split('\n')).toHaveLength(2)
    await release()
  })
})
