import { type ReactNode, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useMay } from '../../session/account.ts';
import { Button, Dialog, toast, toastError } from '../../ui/index.ts';
import { amountText } from './offer-words.tsx';

type OfferDialogProps = {
  title: string;
  /** The payment link or counter code. */
  offer: { amount: number | null; active: boolean };
  /** False for an offer that the gateway would not turn on again. */
  canTurnOn?: boolean;
  name: string;
  stateBadge: ReactNode;
  setActive: (active: boolean) => Promise<unknown>;
  /** Called after a failure, because the screen may be out of date. */
  refetch: () => Promise<unknown>;
  texts: {
    turnedOn: string;
    turnedOff: string;
    /** The consequence of turning the offer off, shown before it is confirmed. */
    offConsequence: string;
    failure: string;
  };
  onEdit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The detail dialog of an offer, that is, of a payment link or counter code: shows the offer, turns it on and
 * off, and opens its form.
 */
export function OfferDialog(props: OfferDialogProps) {
  const { title, offer, canTurnOn = true, name, stateBadge, texts, onEdit, onClose, children } = props;
  const mayManage = useMay('manage-charges');
  const [isConfirmingOff, setIsConfirmingOff] = useState(false);
  const { isTurningOn, turnOn, turnOff } = useActivation(props);
  if (isConfirmingOff)
    return (
      <ConfirmDialog
        open
        onClose={() => setIsConfirmingOff(false)}
        title={`Desligar “${name}”?`}
        confirm="Desligar"
        onConfirm={turnOff}
        failure={texts.failure}
      >
        {texts.offConsequence}
      </ConfirmDialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      locked={isTurningOn}
      footerStart={
        !mayManage ? undefined : offer.active ? (
          <Button variant="danger" onClick={() => setIsConfirmingOff(true)}>
            Desligar
          </Button>
        ) : !canTurnOn ? undefined : (
          <Button isSending={isTurningOn} sendingLabel="Ligando" onClick={turnOn}>
            Ligar
          </Button>
        )
      }
      footer={
        <>
          <Button className={mayManage ? 'max-md:hidden' : undefined} onClick={onClose}>
            Fechar
          </Button>
          {mayManage && <Button onClick={onEdit}>Editar</Button>}
        </>
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {amountText(offer.amount)}
        </p>
        {stateBadge}
      </div>
      <h3 className="mt-2 text-base font-strong wrap-anywhere">{name}</h3>
      {children}
    </Dialog>
  );
}

/** Turns the offer on and off, and refetches it after a failure. */
function useActivation({ setActive, texts, refetch }: OfferDialogProps) {
  const [isTurningOn, setIsTurningOn] = useState(false);
  const turnOn = async () => {
    setIsTurningOn(true);
    try {
      await setActive(true);
      toast(texts.turnedOn);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível ligar. Tente novamente.'));
      await refetch();
    } finally {
      setIsTurningOn(false);
    }
  };
  const turnOff = async () => {
    try {
      await setActive(false);
      toast(texts.turnedOff);
    } catch (error) {
      await refetch();
      throw error;
    }
  };

  return { isTurningOn, turnOn, turnOff };
}
