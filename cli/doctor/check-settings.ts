import { instancePolicyIn } from '../instance-config.ts'
import { productVersion } from '../../process/product-version.ts'
import { settingSchema } from '../../process/settings/setting-schema.ts'
import { neededByRoles, readSettings, WrongSetting, type Settings } from '../../process/settings/settings.ts'
import { bad, ok, warn, type Finding } from './finding.ts'

/** The oldest Node that is supported; package.json says the same. */
const nodeMajor_min = 24

export interface CheckedSettings {
  /** Undefined if they can't be read. */
  readonly settings: Settings | undefined
  readonly findings: readonly Finding[]
}

/** Reads the settings, and says what is odd about them. No value is shown: some are secrets. */
export function checkSettings(environment: Readonly<Record<string, string | undefined>>): CheckedSettings {
  try {
    const settings = readSettings(environment)
    instancePolicyIn(settings)
    const given = Object.keys(settingSchema.shape).filter((name) => (environment[name] ?? '') !== '')
    const all = given.length === 0 ? 'none is set, all have their defaults' : `${given.length} set: ${given.join(', ')}`
    return { settings, findings: [ok('settings', all), ...odditiesOf(settings)] }
  } catch (error) {
    if (!(error instanceof WrongSetting)) throw error
    const advice = 'Change it in the environment or in .env; docs/reference/settings.md lists all settings'
    return { settings: undefined, findings: error.message.split('; ').map((text) => bad('settings', text, advice)) }
  }
}

function odditiesOf(settings: Settings): readonly Finding[] {
  const { rateLimits, natsServers, publicUrl, http } = settings
  const missing = Object.entries(neededByRoles).flatMap(([name, given]) =>
    settings[given] === undefined ? [name] : [],
  )
  return [
    ...(rateLimits
      ? []
      : [warn('settings', 'RATE_LIMITS is off: there are no limits', 'Unset it, except for load tests')]),
    ...(natsServers !== undefined && missing.length > 0
      ? [
          warn(
            'settings',
            `${missing.join(', ')} not set, though NATS_URL is`,
            'The roles api, gateway, projector and worker need them',
          ),
        ]
      : []),
    ...(publicUrl === undefined && !isLoopback(http.host)
      ? [
          warn(
            'settings',
            'PUBLIC_URL is not set',
            'Set it to the address that clients use: links in mails begin with it',
          ),
        ]
      : []),
  ]
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** The versions of this program and of Node. */
export function checkProgram(node: string = process.versions.node): Finding {
  const versions = `Guildhall ${productVersion} on Node ${node}`
  return Number.parseInt(node, 10) >= nodeMajor_min
    ? ok('program', versions)
    : warn('program', versions, `Node ${nodeMajor_min} or later is supported: upgrade it`)
}
