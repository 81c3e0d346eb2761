/** The drawing of a raft with its sail, beside the sign-in form. */
export function Poster() {
  return (
    <svg
      viewBox="0 0 720 900"
      preserveAspectRatio="xMidYMax slice"
      className="h-full w-full bg-(--poster-sky)"
      aria-hidden="true"
    >
      <circle cx="566" cy="600" r="112" className="fill-(--poster-sun)" />
      <path d="M0 600h720v300H0z" className="fill-(--poster-sea)" />
      <path
        d="M426 92C254 186 152 330 124 640h208C340 440 366 262 426 92Z"
        className="fill-(--poster-sail)"
      />
      <path
        d="M446 134C394 290 362 452 354 640h268C538 500 480 330 446 134Z"
        className="fill-(--poster-jib)"
      />
      <path d="M342 640v30" strokeWidth="7" className="stroke-(--poster-hull)" />
      <path
        d="M70 660c18 7 34 10 56 10h480c26 0 44-3 62-10-6 22-20 34-42 34H112c-22 0-36-12-42-34Z"
        className="fill-(--poster-hull)"
      />
      <g strokeWidth="3" strokeLinecap="round">
        <path
          d="M0 640h64M690 640h30M0 724h150M176 724h20M560 724h160M96 756h60M664 756h56M0 790h40M250 822h210M640 822h80M70 858h160M420 858h30"
          className="stroke-(--poster-ripple)"
        />
        <path d="M226 724h300M190 756h420M236 790h250M512 790h40" className="stroke-(--poster-shine)" />
        <path d="M690 622h-16M652 622h-24M682 724" className="stroke-(--poster-sun)" />
      </g>
    </svg>
  );
}

/** The poster's replacement on phones: a strip of water at the bottom, centred and wider than any phone. */
export function Shore() {
  return (
    <div className="relative h-[150px] overflow-hidden" aria-hidden="true">
      <div className="absolute inset-x-0 bottom-0 h-[38px] bg-primary-tint" />
      <svg
        width="780"
        height="104"
        viewBox="0 0 780 104"
        className="absolute bottom-0 left-1/2 -translate-x-1/2"
        aria-hidden="true"
      >
        <path d="M458.6 66a24.2 24.2 0 0 1 48.4 0Z" className="fill-(--poster-sun)" />
        <g className="fill-primary" transform="translate(373.8 0) scale(2.13)">
          <path d="M19 1C9.8 6.1 4.7 13.1 3.5 22h9.8C13.8 14.1 15.7 7.2 19 1Z" />
          <path d="M20.8 4.3c-2.6 5.6-4 11.4-4.4 17.7h12.1c-3.9-5-6.5-10.9-7.7-17.7Z" />
          <rect x="2" y="26" width="28" height="4" rx="2" />
        </g>
        <path
          d="M20 78.5h294.5M327 78.5h18M457 78.5h230M705 78.5h40M235 89.5h89M341 89.5h130M487 89.5h14M60 89.5h70M590 89.5h110"
          strokeWidth="1.5"
          strokeLinecap="round"
          className="stroke-primary-glyph"
        />
      </svg>
    </div>
  );
}
