import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../domain/instance/fresh-policy.ts'
import { instancePolicyIn } from '../../cli/instance-config.ts'
import type { settingSchema } from '../../process/settings/setting-schema.ts'
import { readSettings } from '../../process/settings/settings.ts'

const server = 'smtps://user:pass@mail.example.com:465'

describe('STATUS_PORT and STATUS_HOST', () => {
  it('are ten thousand above HTTP_PORT, on HTTP_HOST, unless they are set', () => {
    const status = (environment: Readonly<Record<string, string>>) => readSettings(environment).status
    expect(status({})).toEqual({ host: '127.0.0.1', port: 13_000 })
    expect(status({ HTTP_PORT: '3001', HTTP_HOST: '0.0.0.0' })).toEqual({ host: '0.0.0.0', port: 13_001 })
    expect(status({ HTTP_PORT: '60000' }).port).toBe(50_000)
    expect(status({ HTTP_PORT: '0' }).port).toBe(0)
    expect(status({ STATUS_PORT: '9100', STATUS_HOST: '::1' })).toEqual({ host: '::1', port: 9100 })
    expect(() => readSettings({ STATUS_PORT: '65536' })).toThrow('STATUS_PORT: must be a port')
  })
})

describe('the settings of mail', () => {
  it('keep mails if there is no mail server, whatever the sender is', () => {
    expect(readSettings({}).smtp).toBeUndefined()
    expect(readSettings({ SMTP_URL: '', MAIL_FROM: 'chat@example.com' }).smtp).toBeUndefined()
  })
  it.each([
    ['chat@example.com', { name: '', address: 'chat@example.com' }],
    ['<chat@example.com>', { name: '', address: 'chat@example.com' }],
    ['Our Chat <chat@example.com>', { name: 'Our Chat', address: 'chat@example.com' }],
  ])('read a sender as %j', (text, from) => {
    expect(readSettings({ SMTP_URL: server, MAIL_FROM: text }).smtp).toEqual({ url: server, from })
  })
  it.each([
    'chat',
    'a@example.com, b@example.com',
    'A\r\nBcc: b <a@example.com>',
    'A <a@example.com> <b@example.com>',
    'A <>',
  ])('refuse the sender %j', (text) => {
    expect(() => readSettings({ SMTP_URL: server, MAIL_FROM: text })).toThrow('MAIL_FROM: must be an e-mail address')
  })
  it('need a sender and an SMTP URL if there is a mail server', () => {
    expect(() => readSettings({ SMTP_URL: server })).toThrow('MAIL_FROM must say who mails are from')
    expect(() => readSettings({ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@example.com' })).toThrow(
      'SMTP_URL: must be',
    )
  })
  it('never show the password of the mail server in an error', () => {
    const wrong = { SMTP_URL: 'smtp://user:CANARY@', MAIL_FROM: 'chat' }
    expect(() => readSettings(wrong)).toThrow('MAIL_FROM')
    expect(() => readSettings(wrong)).not.toThrow('CANARY')
  })
})

describe('the Admin application', () => {
  it('is unset unless it is named by the id of an application', () => {
    expect(readSettings({}).adminApplicationId).toBeUndefined()
    expect(readSettings({ ADMIN_APPLICATION_ID: '' }).adminApplicationId).toBeUndefined()
    expect(readSettings({ ADMIN_APPLICATION_ID: '1571234567890123457' }).adminApplicationId).toBe('1571234567890123457')
    for (const wrong of ['panel', '01', '-1', '9223372036854775808'])
      expect(() => readSettings({ ADMIN_APPLICATION_ID: wrong })).toThrow(
        'ADMIN_APPLICATION_ID: must be the id of an application',
      )
  })
})

describe('the configuration of the instance', () => {
  it('is that of a fresh instance if nothing is set', () => {
    expect(instancePolicyIn(readSettings({}))).toStrictEqual(freshPolicy)
  })
  it('is read in the members of the Admin API, section by section', () => {
    const config = {
      registration: { mode: 'closed' },
      account_identity: { mode: 'username', tag_style: 'none' },
      sso: { enabled: true, allowed_domains: [' Example.ORG '] },
      integrations: { email: { disable_new_ip_authorization: false } },
    }
    const instancePolicy = instancePolicyIn(readSettings({ INSTANCE_CONFIG: JSON.stringify(config) }))
    expect(instancePolicy).toStrictEqual({
      ...freshPolicy,
      registration: { ...freshPolicy.registration, mode: 'closed' },
      accountIdentity: { signIn: 'username', tagStyle: 'none' },
      singleSignOn: { ...freshPolicy.singleSignOn, enabled: true, allowedDomains: ['example.org'] },
      ipAuthorization: true,
    })
  })
  it.each([
    ['{', 'INSTANCE_CONFIG: must be a JSON object'],
    ['[]', 'INSTANCE_CONFIG: must be a JSON object'],
    ['{"registration":{"mode":"ajar"}}', 'INSTANCE_CONFIG: registration.mode: '],
    ['{"sso":{"issuer":"file:///etc"}}', 'INSTANCE_CONFIG: sso.issuer: '],
    ['{"registration":{"mod":"open"}}', 'INSTANCE_CONFIG: registration.mod: is not known'],
    ['{"__proto__":{"mode":"open"}}', 'INSTANCE_CONFIG: __proto__: is not known'],
  ])('is refused by path if it is wrong: %s', (text, message) => {
    expect(() => instancePolicyIn(readSettings({ INSTANCE_CONFIG: text }))).toThrow(message)
  })
})

describe('DNS_SERVERS and GEOIP_DATABASE', () => {
  it('name the servers to ask, with or without a port, or none', () => {
    expect(readSettings({})).toMatchObject({ dnsServers: undefined, geoIpDatabase: undefined })
    expect(readSettings({ DNS_SERVERS: 'off' }).dnsServers).toEqual([])
    const servers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5353']
    expect(readSettings({ DNS_SERVERS: servers.join(', ') }).dnsServers).toEqual(servers)
    expect(readSettings({ GEOIP_DATABASE: '/data/cities.mmdb' }).geoIpDatabase).toBe('/data/cities.mmdb')
  })
  it.each(['on', 'dns.example.com', '192.0.2.256', '192.0.2.1:0', '192.0.2.1:65536', '[192.0.2.1]', '192.0.2.1,'])(
    'refuse the servers %j',
    (servers) => {
      expect(() => readSettings({ DNS_SERVERS: servers })).toThrow('DNS_SERVERS: must be off, or addresses')
    },
  )
})

type SettingName = keyof typeof settingSchema.shape

/** Wrong values of every setting, without those of which only their use tells: a folder and a file. */
const wrongValues: Readonly<Record<Exclude<SettingName, 'DATA_DIR' | 'GEOIP_DATABASE'>, readonly string[]>> = {
  HTTP_PORT: ['http', '-1', '65536'],
  HTTP_HOST: ['two words', 'http://127.0.0.1', '127.0.0.1:3000'],
  STATUS_PORT: ['status', '1e3'],
  STATUS_HOST: ['*', '[::1]'],
  PUBLIC_URL: ['foo', 'chat.example.com', 'ftp://chat.example.com'],
  WEBAPP_URL: ['foo', 'app.example.com', 'ftp://app.example.com'],
  CORS_ORIGINS: ['foo', 'app.example.com', 'https://app.example.com/chat'],
  DATABASE_URL: ['foo', 'mysql://db.example.com/chat'],
  MEDIA_URL: [
    'foo',
    'https://s3.example.com/images',
    'https://key:secret@s3.example.com',
    's3://key:secret@host/b',
    'https://key:50%@host/b',
  ],
  EVENTSTORE_URL: ['foo', 'esdb://', 'https://events.example.com'],
  NATS_URL: ['foo', 'nats://', 'nats://one,two:4222', 'nats://user:50%@one:4222'],
  GATEWAY_URL: ['foo', 'https://gateway.example.com'],
  PERSONAL_DATA_KEY: ['foo', 'AAAA'],
  SMTP_URL: ['foo', 'smtp://', 'https://mail.example.com'],
  MAIL_FROM: ['foo', '<>'],
  SERVICE_NAME: ['Our Chat', 'a'.repeat(33)],
  HOSTED: ['yes', '1'],
  STORE_A: ['foo', '{}', '{"issuer_id":1}'],
  STORE_B: ['foo', '{}', '[]'],
  STORE_SANDBOX: ['foo', '{"everyone":"yes"}'],
  CLIENT_VERSIONS: ['v10', '1', '010', '10,', '100'],
  GATEWAY_REPLAY_MIB: ['0', '65537', '-1', '1.5', '10MB'],
  GATEWAY_COMPRESSED_MAX: ['100001', '-1', 'on', '1e3'],
  TRUSTED_PROXIES: ['foo', '10.0.0.0/33', '10.0.0.1,'],
  DNS_SERVERS: ['foo', 'on'],
  LINK_PREVIEWS: ['foo', 'on,off', '10.0.0.0/40'],
  FILE_SCANNER: ['foo', 'clamd://', 'clamd://host/path', 'icap:///service', 'http://host:3310'],
  INSTANCE_CONFIG: ['foo', '[]'],
  CONSOLE: ['foo', 'true'],
  ADMIN_APPLICATION_ID: ['foo', '01'],
  METRICS_TOKEN: ['short', 'two words with spaces'],
  RATE_LIMITS: ['foo', 'true'],
  LOG_LEVEL: ['foo', 'INFO'],
  LOG_FORMAT: ['foo', 'JSON'],
  ACCESS_LOG: ['foo', 'true'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['foo', 'grpc://collector.example.com'],
  OTEL_TRACES_SAMPLER_ARG: ['foo', '1.5', '-1'],
}

describe('a wrong value', () => {
  it.each(Object.entries(wrongValues).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'of %s is refused by the name of the setting, with what it may be: %s',
    (name, value) => {
      const others = name === 'MAIL_FROM' ? { SMTP_URL: server } : {}
      expect(() => readSettings({ ...others, [name]: value })).toThrow(
        expect.objectContaining({
          name: 'WrongSetting',
          message: expect.stringMatching(new RegExp(`^${name}: .{8,}`)),
        }),
      )
    },
  )

  it('is named with every other one at once', () => {
    expect(() => readSettings({ HTTP_PORT: 'x', MEDIA_URL: 'foo', LOG_LEVEL: 'x' })).toThrow(
      /^HTTP_PORT: .+; MEDIA_URL: .+; LOG_LEVEL: /,
    )
  })
})
