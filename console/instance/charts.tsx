import Box from '@mui/material/Box'
import { useTheme } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import UPlot from 'uplot'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { chartNames, useSamples, type ChartName, type Sample } from './samples.ts'

const height_px = 140
const hour_s = 3600

/** Charts of what the process that answers counted while this page was open, up to an hour. */
export function Charts() {
  const translate = useTranslate()
  const { samples, error } = useSamples()
  return (
    <>
      <p>{translate('console.instance.charts_help')}</p>
      <FailureNotice error={error} />
      {samples.length === 0 && <p role="status">{translate('console.instance.charts_begin')}</p>}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 20rem), 1fr))' }}>
        {samples.length > 0 && chartNames.map((name) => <Chart key={name} name={name} samples={samples} />)}
      </Box>
    </>
  )
}

/** One line over time, with its newest value in words. A line without values, as of a process without a Gateway, is left out. */
function Chart({ name, samples }: { readonly name: ChartName; readonly samples: readonly Sample[] }) {
  const translate = useTranslate()
  const locale = useLocale() ?? 'en'
  const theme = useTheme()
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const values = samples.map((sample) => sample.values[name])
  const newest = values.findLast((value) => value !== null) ?? null
  const { primary, text, divider } = theme.palette
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const axis = { stroke: text.secondary, grid: { stroke: divider, width: 1 }, ticks: { show: false } }
    const made = new UPlot(
      {
        width: Math.max(element.clientWidth, 1),
        height: height_px,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_plot, _min, max) => [max - hour_s, max] },
          y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, 1)] },
        },
        axes: [axis, { ...axis, size: 60 }],
        series: [{}, { stroke: primary.main, width: 2 }],
      },
      [[], []],
      element,
    )
    plot.current = made
    const watch = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 1), height: height_px }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
    }
  }, [primary.main, text.secondary, divider])
  useEffect(() => {
    plot.current?.setData([samples.map(({ at_s: at }) => at), samples.map((sample) => sample.values[name])])
  }, [samples, name, primary.main, text.secondary, divider])
  const label = translate(`console.instance.chart_${name}`)
  const shown = newest === null ? '–' : new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(newest)
  return (
    <Box component="figure" sx={{ margin: 0, minWidth: 0 }}>
      <figcaption>
        {label}: <strong>{shown}</strong>
      </figcaption>
      <Box ref={frame} role="img" aria-label={`${label}: ${shown}`} sx={{ overflow: 'hidden' }} />
    </Box>
  )
}
