import { mkdtempSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageWithRemedy } from '../../cli/remedy.ts'

describe('the message of a command that the system below has stopped', () => {
  it.each([
    ['ENOSPC: no space left on device, write', 'The disk is full.'],
    ['could not extend file "base/5/2619": No space left on device', 'The disk is full.'],
    ['EMFILE: too many open files, open', 'The process may open too few files.'],
    ["EACCES: permission denied, mkdir '/data'", 'The account of this process lacks a right.'],
    ['EROFS: read-only file system, mkdir', 'The file system can only be read.'],
    ['could not map anonymous shared memory: Cannot allocate memory', 'The machine has no memory left.'],
  ])('names its cause and what to do: %s', (reason, cause) => {
    const [first, second, third, ...others] = messageWithRemedy(
      new Error('It failed', { cause: new Error(reason) }),
    ).split('\n')
    expect([first, second, others]).toEqual(['It failed', cause, []])
    expect(third).toMatch(/start again\.$/)
  })

  it('is left as it is where the system is not the cause', () => {
    expect(messageWithRemedy(new Error('HTTP_PORT 3000 is in use'))).toBe('HTTP_PORT 3000 is in use')
    expect(messageWithRemedy('text')).toBe('text')
  })

  it('is what a start with too few descriptors prints', () => {
    const program = path.resolve(import.meta.dirname, '../../dist/cli/guildhall.js')
    const dataDir = mkdtempSync(path.join(tmpdir(), 'guildhall-descriptors-'))
    const started = spawnSync('sh', ['-c', 'ulimit -n 48; exec "$0" "$1" start', process.execPath, program], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, HTTP_PORT: '0' },
      encoding: 'utf8',
    })
    expect(started.status).toBe(1)
    expect(started.stderr).toContain('The process may open too few files.\nRaise the limit (ulimit -n')
  })
})
