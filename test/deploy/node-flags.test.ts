import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nodeFlagsOf } from '../support/product-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const inPackage = z.object({ scripts: z.object({ start: z.string(), guildhall: z.string() }) })

describe('every way to start the server', () => {
  it('gives Node the flags of decision 124: the first line of the program, and the scripts of npm', () => {
    const flags = nodeFlagsOf(path.join(root, 'cli/guildhall.ts'))
    const { scripts } = inPackage.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
    expect(flags).toStrictEqual(['--max-semi-space-size=32', '--min-semi-space-size=16'])
    expect(nodeFlagsOf(path.join(root, 'dist/cli/guildhall.js'))).toStrictEqual(flags)
    for (const script of [scripts.start, scripts.guildhall])
      expect(script).toContain(`node ${flags.join(' ')} dist/cli/guildhall.js`)
  })
})
