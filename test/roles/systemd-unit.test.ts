import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../process/settings/settings.ts'
import { stop_ms_max } from '../support/product-process.ts'

const lines = readFileSync(new URL('../../deploy/guildhall.service', import.meta.url), 'utf8').split('\n')
const valueOf = (name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

describe('the systemd unit', () => {
  it('starts the product on a folder that it may write, which is its only one', () => {
    expect(valueOf('ExecStart')).toBe('/usr/bin/env guildhall start')
    expect(valueOf('ProtectSystem')).toBe('strict')
    const environment = Object.fromEntries((valueOf('Environment') ?? '').split(' ').map((each) => each.split('=')))
    expect(readSettings(environment).dataDir).toBe(`/var/lib/${valueOf('StateDirectory')}`)
  })

  it('ends the server before its Postgres, and waits as long as the server may take', () => {
    expect(valueOf('KillMode')).toBe('mixed')
    expect(Number(valueOf('TimeoutStopSec')) * 1000).toBeGreaterThan(stop_ms_max)
  })
})
