// The controls and parts that all screens share. None of them calls the API. web/README.md lists their props.

export { AnnouncementRegion, useAnnouncement, useLoadingAnnouncement } from './announcement-region.tsx';
export { bringIntoView } from './bring-into-view.ts';
export {
  Button,
  type ButtonProps,
  type ButtonStyle,
  buttonClass,
  IconButton,
  type IconButtonProps,
  Spinner,
} from './button.tsx';
export { DaysChartFrame } from './chart/days-chart-frame.tsx';
export { classNames } from './class-names.ts';
export { CopyButton, type CopyButtonProps, showCopyFailure } from './copy-button.tsx';
export { Dialog, type DialogProps } from './dialog.tsx';
export { Drawer } from './drawer.tsx';
export { Drawing, type DrawingName, PaidSail } from './drawing.tsx';
export { Code, CodeWell, type Fact, Facts } from './facts.tsx';
export { Field, FieldNote, PasswordField, TextField, type TextFieldProps } from './field.tsx';
export { Glyph, type GlyphName } from './glyph.tsx';
export { HiddenAmount } from './hidden-amount.tsx';
export { Mark, Wordmark } from './logo.tsx';
export { MaskedField, type MaskedFieldProps } from './masked-field.tsx';
export { Menu, MenuItem, menuItemClass } from './menu.tsx';
export { MoneyField, type MoneyFieldProps } from './money-field.tsx';
export { Notice, type NoticeTone } from './notice.tsx';
export { OutdatedResults } from './outdated-results.tsx';
export { PageBanner, PageHeader, SectionHeader } from './page-header.tsx';
export { Pagination, type PaginationProps } from './pagination.tsx';
export { Dot, FigureCell, type FigureCellProps, Panel, ShareBar } from './panel.tsx';
export { PinField, type PinFieldProps } from './pin-field.tsx';
export { QrTile } from './qr-tile.tsx';
export { RefreshButton } from './refresh-button.tsx';
export { type Segment, SegmentedControl } from './segmented-control.tsx';
export { SelectField, type SelectFieldProps } from './select-field.tsx';
export { LoadingRegion, Skeleton, SkeletonText, useVisibleAfterDelay } from './skeleton.tsx';
export { EmptyState, ErrorState } from './states.tsx';
export { StatusBadge, Tag } from './status-badge.tsx';
export { type Column, type NarrowRowContent, Table, type TableProps } from './table.tsx';
export { TextArea, type TextAreaProps } from './text-area.tsx';
export { TimeBar } from './time-bar.tsx';
export { Toaster, toast, toastError } from './toast.tsx';
export { useIsNarrow, useMediaQuery } from './use-media-query.ts';
