from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import tua_pay_pretix.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("pretixbase", "0311_fix_unshredded_invoices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField()),
                ("amount", models.DecimalField(decimal_places=2, max_digits=13)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("return_url", models.URLField(max_length=500)),
                (
                    "idempotency_key",
                    models.CharField(
                        default=tua_pay_pretix.models.new_key, max_length=64, unique=True
                    ),
                ),
                ("mode", models.CharField(max_length=4)),
                ("state", models.CharField(default="NEW", max_length=4)),
                (
                    "checkout_id",
                    models.CharField(blank=True, max_length=64, null=True, unique=True),
                ),
                ("charge_id", models.CharField(blank=True, max_length=64)),
                ("asked_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "payment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tua_attempts",
                        to="pretixbase.orderpayment",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Refund",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ("amount", models.DecimalField(decimal_places=2, max_digits=13)),
                (
                    "idempotency_key",
                    models.CharField(
                        default=tua_pay_pretix.models.new_key, max_length=64, unique=True
                    ),
                ),
                ("refund_id", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("state", models.CharField(default="PENDING", max_length=10)),
                ("message", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refunds",
                        to="tua_pay_pretix.attempt",
                    ),
                ),
                (
                    "order_refund",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tua_refund",
                        to="pretixbase.orderrefund",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="attempt",
            index=models.Index(fields=["state", "created_at"], name="tua_attempt_state"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(
                fields=("payment", "number"), name="tua_attempt_number"
            ),
        ),
        migrations.AddIndex(
            model_name="refund",
            index=models.Index(fields=["state", "created_at"], name="tua_pretix_refund_state"),
        ),
    ]
