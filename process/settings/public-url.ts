import type { Settings } from './settings.ts'

/** The base of the server's own URLs, without a slash at the end. */
export function publicUrlIn({ http: { host, port }, publicUrl }: Pick<Settings, 'http' | 'publicUrl'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The base of links to pages for people, without a slash at the end. */
export function webappUrlIn(settings: Pick<Settings, 'http' | 'publicUrl' | 'webappUrl'>): string {
  return settings.webappUrl ?? publicUrlIn(settings)
}
