import { useLocale } from 'react-admin'

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/** How long ago something was, as people say it; the exact time on hover. */
export function Age({ at }: { readonly at: string }) {
  const locale = useLocale() ?? 'en'
  const seconds = Math.max(0, (Date.now() - Date.parse(at)) / 1000)
  const { unit, seconds: one } = units.find(({ seconds: length }) => seconds >= length) ?? units[2]
  const shown = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(seconds / one), unit)
  return (
    <time dateTime={at} title={at}>
      {shown}
    </time>
  )
}
