import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { UndoButton } from '../acts/done.tsx'
import { Facts } from '../parts/facts.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Page } from '../parts/page.tsx'
import { useReading } from '../parts/use-reading.ts'
import { chainsOf, linksIn, type ChainLink, type Explanation } from './chain.ts'
import { ChainList } from './chain-list.tsx'
import { streamPath } from './event-columns.tsx'
import { RevealButton } from './reveal-button.tsx'

/** What draws the graph is loaded where it is looked at. */
const ChainGraph = lazy(async () => ({ default: (await import('./chain-graph.tsx')).ChainGraph }))

/** Everything that followed from a request, which an entry of the admin audit log, an event or the request itself names. */
export function ExplanationPage() {
  const translate = useTranslate()
  const { id = '' } = useParams()
  const [isRevealed, setRevealed] = useState(false)
  const { data, error, refetch } = useReading(
    'explainHistory',
    { path: { id }, query: isRevealed ? { reveal: true } : {} },
    { isOnce: isRevealed },
  )
  return (
    <Page title={translate('console.history.explanation_of', { id })}>
      {!isRevealed && <RevealButton onReveal={() => setRevealed(true)} />}
      <FailureNotice error={error} retry={() => void refetch()} />
      {data ? <Explained key={id} id={id} of={data} /> : !error && <p>{translate('console.say.loading')}</p>}
    </Page>
  )
}

function Explained({ id, of }: { readonly id: string; readonly of: Explanation }) {
  const translate = useTranslate()
  const isWide = useMediaQuery('(min-width: 60rem)')
  const [search, setSearch] = useSearchParams()
  const form = search.get('as') ?? (isWide ? 'graph' : 'list')
  const chains = useMemo(() => chainsOf(of), [of])
  const links = linksIn(chains)
  const [chosen, setChosen] = useState(id)
  const link = links.find((one) => one.id === chosen) ?? chains[0]
  const props = { chains, chosen: link?.id, onChoice: setChosen }
  return (
    <>
      {of.truncated && <Alert severity="info">{translate('console.history.truncated')}</Alert>}
      <ToggleButtonGroup
        exclusive
        size="small"
        value={form}
        onChange={(_, as: string | null) => as !== null && setSearch({ as }, { replace: true })}
        aria-label={translate('console.history.form')}
        sx={{ marginBlock: 1 }}
      >
        <ToggleButton value="graph">{translate('console.history.graph')}</ToggleButton>
        <ToggleButton value="list">{translate('console.history.list')}</ToggleButton>
      </ToggleButtonGroup>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' },
        }}
      >
        {form === 'graph' ? (
          <Suspense fallback={<p>{translate('console.say.loading')}</p>}>
            <ChainGraph {...props} />
          </Suspense>
        ) : (
          <ChainList {...props} />
        )}
        {link && <LinkFacts of={link} />}
      </Box>
    </>
  )
}

/** What is known of one thing in a chain, and where it leads. */
function LinkFacts({ of: { kind, text, facts, stream, entry } }: { readonly of: ChainLink }) {
  const translate = useTranslate()
  return (
    <Box component="section" aria-labelledby="chosen" sx={{ minWidth: 0 }}>
      <Typography id="chosen" component="h2" variant="h6" sx={{ overflowWrap: 'anywhere' }}>
        {translate(`console.history.kind_${kind}`)}: {text}
      </Typography>
      {stream !== undefined && (
        <Button component={Link} to={streamPath(stream)}>
          {translate('console.history.to_stream')}
        </Button>
      )}
      {entry !== undefined && <UndoButton entry={entry} />}
      <Facts of={facts} />
    </Box>
  )
}
